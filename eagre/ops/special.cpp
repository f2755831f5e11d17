// Functions of analysis that are written with other operators.
#include <cmath>
#include <cstdint>
#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/as_floating.h>
#include <eagre/ops/digamma.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/hurwitz_zeta.h>
#include <eagre/ops/hurwitz_zeta_grad.h>
#include <eagre/ops/i0.h>
#include <eagre/ops/i1_grad.h>
#include <eagre/ops/le.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logit.h>
#include <eagre/ops/logit_no_eps.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/polygamma.h>
#include <eagre/ops/polygamma_method.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/where.h>
#include <eagre/ops/xlogy.h>
#include <eagre/ops/xlogy_grad.h>
#include <eagre/ops/xlogy_number.h>

namespace eagre::ops {

// As in PyTorch the lower bound is asked first, where the two cross.
TensorBase logit(const TensorBase& input, std::optional<double> eps, CallSite at) {
  if (!eps) return logit_no_eps(input, at);
  const TensorBase x = as_floating(input, at);
  const TensorBase bounded = where(gt(x, 1 - *eps, at), 1 - *eps, x, at);
  return logit_no_eps(where(lt(x, *eps, at), *eps, bounded, at), at);
}

TensorBase xlogy_number(const Scalar& input, const TensorBase& other, CallSite at) {
  return xlogy(operand_to_tensor(input, other, at), other, at);
}

TensorBase xlogy_grad(const TensorBase& grad, const TensorBase& input, const Operand& other,
                      CallSite at) {
  const TensorBase slope = xlogy(grad, other, at);
  const TensorBase zero = eq(input, 0, at);
  if (!other.is_tensor()) {
    return other.scalar().wrapped<double>() <= 0 ? where(zero, 0, slope, at) : slope;
  }
  const TensorBase at_edge = logical_and(zero, le(other.tensor(), 0, at), at);
  return where(at_edge, 0, slope, at);
}

TensorBase polygamma(int64_t n, const TensorBase& input, CallSite at) {
  if (n < 0) {
    const SiteScope scope(at);
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"polygamma", "n", "a number that is not negative", concat(n)});
  }
  if (n == 0) return digamma(input, at);
  const double factorial = std::tgamma(static_cast<double>(n) + 1);
  const TensorBase zeta = hurwitz_zeta(input, static_cast<double>(n) + 1, at);
  return mul(zeta, n % 2 == 0 ? -factorial : factorial, at);
}

TensorBase polygamma_method(const TensorBase& input, int64_t n, CallSite at) {
  return polygamma(n, input, at);
}

TensorBase hurwitz_zeta_grad(const TensorBase& grad, const TensorBase& input, const Scalar& order,
                             CallSite at) {
  const auto number = order.wrapped<double>();
  return mul(mul(grad, hurwitz_zeta(input, number + 1, at), at), -number, at);
}

TensorBase i1_grad(const TensorBase& input, const TensorBase& result, CallSite at) {
  // Near 0 the quotient is 1/2; where i1 is 0 it has no other.
  const TensorBase ratio = where(eq(input, 0, at), 0.5, div(result, input, at), at);
  return sub(i0(input, at), ratio, 1, at);
}

}  // namespace eagre::ops
