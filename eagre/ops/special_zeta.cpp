// Hurwitz's zeta function of one power, and what its gradient needs.
#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/special_zeta.h>
#include <eagre/ops/special_zeta_number.h>
#include <eagre/ops/zeta_above.h>

namespace eagre::ops {

TensorBase special_zeta_number(const Scalar& input, const TensorBase& other, CallSite at) {
  return special_zeta(operand_to_tensor(input, other, at), other, at);
}

TensorBase zeta_above(const TensorBase& input, const Operand& other, CallSite at) {
  return special_zeta(add(input, 1, 1, at), other, at);
}

}  // namespace eagre::ops
