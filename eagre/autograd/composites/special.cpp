// Functions of analysis that are written with other operators.
#include <cmath>

#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/deg2rad.h>
#include <eagre/autograd/ops/digamma.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/float_power.h>
#include <eagre/autograd/ops/float_power_number.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/gt.h>
#include <eagre/autograd/ops/hurwitz_zeta.h>
#include <eagre/autograd/ops/hurwitz_zeta_grad.h>
#include <eagre/autograd/ops/i0.h>
#include <eagre/autograd/ops/i1_slope.h>
#include <eagre/autograd/ops/le.h>
#include <eagre/autograd/ops/log_odds.h>
#include <eagre/autograd/ops/logical_and.h>
#include <eagre/autograd/ops/logit.h>
#include <eagre/autograd/ops/lt.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/polygamma.h>
#include <eagre/autograd/ops/polygamma_method.h>
#include <eagre/autograd/ops/pow.h>
#include <eagre/autograd/ops/rad2deg.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/autograd/ops/xlogy.h>
#include <eagre/autograd/ops/xlogy_number.h>
#include <eagre/autograd/ops/xlogy_slope.h>
#include <eagre/base/error.h>
#include <eagre/core/promotion.h>

namespace eagre::ops {
namespace {

// Integers as the default floating type, as kernels with real results take them.
TensorBase as_floating(const TensorBase& input, CallSite at) {
  return is_differentiable(input.dtype()) ? input : cast(input, default_dtype(), at);
}

TensorBase number_like(const Scalar& number, DType dtype, const TensorBase& like, CallSite at) {
  return full(Dims(), number, TensorOptions(dtype).device(like.device()), at);
}

TensorBase scaled_angle(const char* op, const TensorBase& input, double factor, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.dtype()), kUnimplemented, op,
              "(): complex numbers are not angles, but the input is of ", input.dtype());
  return mul(as_floating(input, at), factor, at);
}

bool is_complex_operand(const Operand& operand) {
  return operand.is_tensor() ? is_complex(operand.tensor().dtype())
                             : operand.scalar().category() == DTypeCategory::kComplex;
}

}  // namespace

TensorBase deg2rad(const TensorBase& input, CallSite at) {
  return scaled_angle("deg2rad", input, 0.017453292519943295, at);
}
TensorBase rad2deg(const TensorBase& input, CallSite at) {
  return scaled_angle("rad2deg", input, 57.29577951308232, at);
}

// As in PyTorch the lower bound is asked first, where the two cross.
TensorBase logit(const TensorBase& input, std::optional<double> eps, CallSite at) {
  if (!eps) return log_odds(input, at);
  const TensorBase x = as_floating(input, at);
  const TensorBase bounded = where(gt(x, 1 - *eps, at), 1 - *eps, x, at);
  return log_odds(where(lt(x, *eps, at), *eps, bounded, at), at);
}

TensorBase xlogy_number(const Scalar& input, const TensorBase& other, CallSite at) {
  return xlogy(number_like(input, result_type(other, input), other, at), other, at);
}

TensorBase xlogy_slope(const TensorBase& grad, const TensorBase& input, const Operand& other,
                       CallSite at) {
  const TensorBase slope = xlogy(grad, other, at);
  const TensorBase zero = eq(input, 0, at);
  if (!other.is_tensor()) {
    return other.scalar().wrapped<double>() <= 0 ? where(zero, 0, slope, at) : slope;
  }
  const TensorBase at_edge = logical_and(zero, le(other.tensor(), 0, at), at);
  return where(at_edge, 0, slope, at);
}

TensorBase float_power(const TensorBase& input, const Operand& exponent, CallSite at) {
  const bool complex = is_complex(input.dtype()) || is_complex_operand(exponent);
  const DType dtype = complex ? kComplex128 : kFloat64;
  const TensorBase base = cast(input, dtype, at);
  return exponent.is_tensor() ? pow(base, cast(exponent.tensor(), dtype, at), at)
                              : pow(base, exponent, at);
}

TensorBase float_power_number(const Scalar& input, const TensorBase& exponent, CallSite at) {
  const bool complex = is_complex(exponent.dtype()) || is_complex_operand(input);
  const DType dtype = complex ? kComplex128 : kFloat64;
  return pow(number_like(input, dtype, exponent, at), cast(exponent, dtype, at), at);
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

TensorBase i1_slope(const TensorBase& input, const TensorBase& result, CallSite at) {
  // Near 0 the quotient is 1/2; where i1 is 0 it has no other.
  const TensorBase ratio = where(eq(input, 0, at), 0.5, div(result, input, at), at);
  return sub(i0(input, at), ratio, 1, at);
}

}  // namespace eagre::ops
