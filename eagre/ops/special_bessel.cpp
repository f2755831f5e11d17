// Derivatives of Bessel functions that are too long for a formula.
#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/bessel_j1_grad.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/special_bessel_j0.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/where.h>

namespace eagre::ops {

TensorBase bessel_j1_grad(const TensorBase& input, const TensorBase& result, CallSite at) {
  const TensorBase at_zero = eq(input, 0, at);
  const TensorBase divisor = where(at_zero, 1, input, at);
  const TensorBase slope = sub(special_bessel_j0(input, at), div(result, divisor, at), 1, at);
  return where(at_zero, 0.5, slope, at);
}

}  // namespace eagre::ops
