// Functions of analysis that are written with other operators.
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/as_floating.h>
#include <eagre/ops/digamma.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/hurwitz_zeta.h>
#include <eagre/ops/hurwitz_zeta_grad.h>
#include <eagre/ops/i0.h>
#include <eagre/ops/i1.h>
#include <eagre/ops/i1_grad.h>
#include <eagre/ops/i1e_grad.h>
#include <eagre/ops/igamma_grad_input.h>
#include <eagre/ops/le.h>
#include <eagre/ops/lgamma.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logit.h>
#include <eagre/ops/logit_no_eps.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/mvlgamma.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/polygamma.h>
#include <eagre/ops/polygamma_method.h>
#include <eagre/ops/sign.h>
#include <eagre/ops/special_i0e.h>
#include <eagre/ops/special_i1.h>
#include <eagre/ops/special_xlog1py.h>
#include <eagre/ops/special_xlog1py_number.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/where.h>
#include <eagre/ops/xlog1py_grad.h>
#include <eagre/ops/xlog1py_grad_other.h>
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

TensorBase special_xlog1py_number(const Scalar& input, const TensorBase& other, CallSite at) {
  return special_xlog1py(operand_to_tensor(input, other, at), other, at);
}

TensorBase xlog1py_grad(const TensorBase& grad, const TensorBase& input, const Operand& other,
                        CallSite at) {
  const TensorBase slope = special_xlog1py(grad, other, at);
  const TensorBase zero = eq(input, 0, at);
  if (!other.is_tensor()) {
    return other.scalar().wrapped<double>() <= -1 ? where(zero, 0, slope, at) : slope;
  }
  const TensorBase at_edge = logical_and(zero, le(other.tensor(), -1, at), at);
  return where(at_edge, 0, slope, at);
}

TensorBase xlog1py_grad_other(const TensorBase& grad, const TensorBase& input, const Operand& other,
                              CallSite at) {
  return div(mul(grad, input, at), add(other.tensor(), 1, 1, at), at);
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
  const TensorBase at_zero = eq(input, 0, at);
  const TensorBase divisor = where(at_zero, 1, input, at);
  return where(at_zero, 0.5, sub(i0(input, at), div(result, divisor, at), 1, at), at);
}

TensorBase special_i1(const TensorBase& input, CallSite at) { return i1(input, at); }

TensorBase i1e_grad(const TensorBase& input, const TensorBase& result, CallSite at) {
  const TensorBase at_zero = eq(input, 0, at);
  const TensorBase divisor = where(at_zero, 1, input, at);
  const TensorBase slope = sub(special_i0e(input, at), mul(result, sign(input, at), at), 1, at);
  return where(at_zero, 0.5, sub(slope, div(result, divisor, at), 1, at), at);
}

TensorBase igamma_grad_input(std::string_view op, const TensorBase& /*g*/, CallSite /*at*/) {
  raise(ErrorKind::kUnimplemented,
        concat(op, "(): there is no gradient for argument 'input'. Hint: detach() it"));
}

TensorBase mvlgamma(const TensorBase& input, int64_t p, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.get("mvlgamma", "input").key.dtype), kUnimplemented,
              "mvlgamma(): argument 'input' must be real, but got ", input.dtype());
  EAGRE_CHECK(p >= 1, kInvalidArgument,
              "mvlgamma(): argument 'p' has to be greater than or equal to 1, but got ", p);
  const TensorBase x = as_floating(input, at);
  const TensorOptions options = TensorOptions(x.dtype()).device(x.device());
  const TensorBase halves = mul(arange(p, options, at), -0.5, at);
  const TensorBase logs = lgamma(add(unsqueeze(x, -1, at), halves, 1, at), at);
  const auto count = static_cast<double>(p);
  const double constant = count * (count - 1) / 4 * std::log(std::numbers::pi);
  return add(sum(logs, -1, false, {}, at), constant, 1, at);
}

}  // namespace eagre::ops
