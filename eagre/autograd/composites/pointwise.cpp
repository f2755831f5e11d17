// Pointwise operators and gradients that are written with other operators.
#include <cmath>

#include <eagre/autograd/conjugate.h>
#include <eagre/autograd/ops/abs.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/atan2_grad.h>
#include <eagre/autograd/ops/bitwise_left_shift.h>
#include <eagre/autograd/ops/bitwise_right_shift.h>
#include <eagre/autograd/ops/bound_grad.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/clamp.h>
#include <eagre/autograd/ops/clamp_both.h>
#include <eagre/autograd/ops/clamp_grad.h>
#include <eagre/autograd/ops/clamp_grad_max.h>
#include <eagre/autograd/ops/clamp_grad_min.h>
#include <eagre/autograd/ops/clamp_max.h>
#include <eagre/autograd/ops/clamp_min.h>
#include <eagre/autograd/ops/conj.h>
#include <eagre/autograd/ops/conj_physical.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/div_mode.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/floor_divide.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/ge.h>
#include <eagre/autograd/ops/gelu.h>
#include <eagre/autograd/ops/gelu_approximate.h>
#include <eagre/autograd/ops/gelu_tanh.h>
#include <eagre/autograd/ops/gelu_tanh_second.h>
#include <eagre/autograd/ops/gt.h>
#include <eagre/autograd/ops/le.h>
#include <eagre/autograd/ops/log.h>
#include <eagre/autograd/ops/logical_and.h>
#include <eagre/autograd/ops/logical_or.h>
#include <eagre/autograd/ops/logical_xor.h>
#include <eagre/autograd/ops/lt.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/pow.h>
#include <eagre/autograd/ops/pow_grad_base.h>
#include <eagre/autograd/ops/pow_grad_exponent.h>
#include <eagre/autograd/ops/pow_number.h>
#include <eagre/autograd/ops/rbitwise_left_shift.h>
#include <eagre/autograd/ops/rbitwise_right_shift.h>
#include <eagre/autograd/ops/remainder.h>
#include <eagre/autograd/ops/rfloor_divide.h>
#include <eagre/autograd/ops/round.h>
#include <eagre/autograd/ops/round_decimals.h>
#include <eagre/autograd/ops/rpow.h>
#include <eagre/autograd/ops/rremainder.h>
#include <eagre/autograd/ops/rsub.h>
#include <eagre/autograd/ops/sgn_grad.h>
#include <eagre/autograd/ops/sigmoid.h>
#include <eagre/autograd/ops/square.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/true_divide.h>
#include <eagre/autograd/ops/trunc_divide.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/autograd/ops/where_method.h>
#include <eagre/autograd/ops/zeros_of.h>
#include <eagre/base/error.h>
#include <eagre/core/promotion.h>

namespace eagre::autograd {

void conjugate_complex(TensorBase& tensor, CallSite at) { tensor = ops::conj_physical(tensor, at); }

}  // namespace eagre::autograd

namespace eagre::ops {
namespace {

// What stands on the left of `like`: a number as a tensor that promotes as the number would.
TensorBase left_operand(const Operand& left, const TensorBase& like, CallSite at) {
  if (left.is_tensor()) return left.tensor();
  const TensorOptions options =
      TensorOptions().dtype(result_type(like, left)).device(like.device());
  return full(Dims(), left.scalar(), options, at);
}

// Half of the gradient where two values meet.
TensorBase half_where(const TensorBase& met, const TensorBase& grad, CallSite at) {
  return where(met, mul(grad, 0.5, at), grad, at);
}

}  // namespace

TensorBase rfloor_divide(const TensorBase& input, const Operand& other, CallSite at) {
  return floor_divide(left_operand(other, input, at), input, at);
}

TensorBase rremainder(const TensorBase& input, const Operand& other, CallSite at) {
  return remainder(left_operand(other, input, at), input, at);
}

TensorBase rpow(const TensorBase& input, const Operand& other, CallSite at) {
  return pow(left_operand(other, input, at), input, at);
}

TensorBase pow_number(const Scalar& input, const TensorBase& exponent, CallSite at) {
  return rpow(exponent, input, at);
}

TensorBase round_decimals(const TensorBase& input, int64_t decimals, CallSite at) {
  EAGRE_CHECK(is_floating_point(input.dtype()), kUnimplemented, "round(): argument 'decimals' is ",
              "for floating-point tensors, but the input is of ", input.dtype());
  if (decimals == 0) return round(input, at);
  const double scale = std::pow(10.0, std::fabs(static_cast<double>(decimals)));
  if (decimals > 0) return div(round(mul(input, scale, at), at), scale, at);
  return mul(round(div(input, scale, at), at), scale, at);
}

TensorBase rbitwise_left_shift(const TensorBase& input, const Operand& other, CallSite at) {
  return bitwise_left_shift(left_operand(other, input, at), input, at);
}

TensorBase rbitwise_right_shift(const TensorBase& input, const Operand& other, CallSite at) {
  return bitwise_right_shift(left_operand(other, input, at), input, at);
}

TensorBase true_divide(const TensorBase& input, const Operand& other, CallSite at) {
  return div(input, other, at);
}

TensorBase div_mode(const TensorBase& input, const Operand& other,
                    std::optional<std::string_view> rounding_mode, CallSite at) {
  if (!rounding_mode) return div(input, other, at);
  if (*rounding_mode == "trunc") return trunc_divide(input, other, at);
  if (*rounding_mode == "floor") return floor_divide(input, other, at);
  const SiteScope scope(at);
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"div", "rounding_mode", "None, 'trunc' or 'floor'",
                        concat("'", *rounding_mode, "'")});
}

TensorBase where_method(const TensorBase& input, const TensorBase& condition, const Operand& other,
                        CallSite at) {
  return where(condition, input, other, at);
}

TensorBase clamp(const TensorBase& input, const OptionalOperand& min, const OptionalOperand& max,
                 CallSite at) {
  if (min && max) return clamp_both(input, *min, *max, at);
  if (min) return clamp_min(input, *min, at);
  if (max) return clamp_max(input, *max, at);
  const SiteScope scope(at);
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"clamp", "min", "at least one of 'min' and 'max'", "neither"});
}

// As in PyTorch a number takes the whole gradient where it is met, a tensor half of it.
TensorBase bound_grad(const TensorBase& grad, const TensorBase& input, const Operand& bound,
                      bool lower, CallSite at) {
  if (!bound.is_tensor()) {
    return where(lower ? gt(input, bound, at) : lt(input, bound, at), grad, 0, at);
  }
  const TensorBase beyond = lower ? lt(input, bound, at) : gt(input, bound, at);
  return where(beyond, 0, half_where(eq(input, bound, at), grad, at), at);
}

TensorBase clamp_grad(const TensorBase& grad, const TensorBase& input, const Operand& min,
                      const Operand& max, CallSite at) {
  if (!min.is_tensor() && !max.is_tensor()) {
    return where(logical_and(gt(input, min, at), lt(input, max, at), at), grad, 0, at);
  }
  const TensorBase inside = logical_and(ge(input, min, at), le(input, max, at), at);
  const TensorBase met = logical_xor(eq(input, min, at), eq(input, max, at), at);
  return where(inside, half_where(met, grad, at), 0, at);
}

TensorBase clamp_grad_min(const TensorBase& grad, const TensorBase& input, const Operand& min,
                          const Operand& max, CallSite at) {
  const TensorBase low = left_operand(min, input, at);
  const TensorBase below = logical_and(lt(input, low, at), le(low, max, at), at);
  const TensorBase met = logical_and(eq(input, low, at), lt(low, max, at), at);
  return where(logical_or(below, met, at), half_where(met, grad, at), 0, at);
}

TensorBase clamp_grad_max(const TensorBase& grad, const TensorBase& input, const Operand& min,
                          const Operand& max, CallSite at) {
  const TensorBase high = left_operand(max, input, at);
  const TensorBase above = logical_or(gt(input, high, at), lt(high, min, at), at);
  const TensorBase met = logical_and(eq(input, high, at), gt(high, min, at), at);
  return where(logical_or(above, met, at), half_where(met, grad, at), 0, at);
}

TensorBase atan2_grad(const TensorBase& grad, const TensorBase& input, const TensorBase& other,
                      CallSite at) {
  const TensorBase squared = add(square(input, at), square(other, at), 1, at);
  return where(eq(squared, 0, at), 0, div(grad, squared, at), at);
}

namespace {
// The conjugate of z^p, given conj(z) and conj(p). A real z has no sign of its imaginary part that
// would choose the side of the cut below 0, so there the result is conjugated instead.
TensorBase conjugate_power(const TensorBase& input, Complex<double> power, CallSite at) {
  if (is_complex(input.dtype())) return pow(input, Scalar(power), at);
  return conj(pow(input, Scalar(Complex<double>(power.real, -power.imag)), at), at);
}
}  // namespace

TensorBase zeros_of(const TensorBase& g, CallSite at) {
  return full(g.sizes(), 0, TensorOptions(g.dtype()).device(g.device()), at);
}

TensorBase pow_grad_base(const TensorBase& grad, const TensorBase& input, const Operand& exponent,
                         CallSite at) {
  if (!exponent.is_tensor()) {
    const Scalar& number = exponent.scalar();
    if (number.category() == DTypeCategory::kComplex) {
      const Complex<double> power = number.wrapped<Complex<double>>();
      return mul(mul(grad, exponent, at), conjugate_power(input, power - 1, at), at);
    }
    const auto power = number.wrapped<double>();
    if (power == 0) return zeros_of(grad, at);
    TensorBase scaled = mul(grad, exponent, at);
    if (power == 1) return scaled;
    return mul(scaled, power == 2 ? input : pow(input, power - 1, at), at);
  }
  const TensorBase& power = exponent.tensor();
  const TensorBase less = sub(power, 1, 1, at);
  const bool is_mixed = is_complex(power.dtype()) && !is_complex(input.dtype());
  const TensorBase raised =
      is_mixed ? conj(pow(input, conj(less, at), at), at) : pow(input, less, at);
  return where(eq(power, 0, at), 0, mul(grad, mul(power, raised, at), at), at);
}

TensorBase pow_grad_exponent(const TensorBase& grad, const TensorBase& input,
                             const Operand& exponent, const TensorBase& result, CallSite at) {
  const TensorBase& power = exponent.tensor();
  const bool is_mixed = is_complex(result.dtype()) && !is_complex(input.dtype());
  const TensorBase logarithm =
      is_mixed ? conj(log(cast(input, result.dtype(), at), at), at) : log(input, at);
  const TensorBase grows = mul(grad, mul(result, logarithm, at), at);
  const TensorBase base_is_zero = eq(input, 0, at);
  if (is_complex(power.dtype())) return where(base_is_zero, 0, grows, at);
  return where(logical_and(base_is_zero, ge(power, 0, at), at), 0, grows, at);
}

TensorBase gelu_approximate(const TensorBase& input, std::string_view approximate, CallSite at) {
  if (approximate == "none") return gelu(input, at);
  if (approximate == "tanh") return gelu_tanh(input, at);
  const SiteScope scope(at);
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"gelu", "approximate", "'none' or 'tanh'", concat("'", approximate, "'")});
}

// With s = sigmoid(v) and v = x * (a + b * x * x): (x * s)'' = s' * (2 + x * (1 - 2 s) * v') +
// x * s * (1 - s) * v'', where s' = s * (1 - s) * v'.
TensorBase gelu_tanh_second(const TensorBase& grad, const TensorBase& input, CallSite at) {
  constexpr double kA = 1.5957691216057307, kB = 0.07135481627260025;
  const TensorBase squared = square(input, at);
  const TensorBase v = mul(input, add(mul(squared, kB, at), kA, 1, at), at);
  const TensorBase slope = add(mul(squared, 3 * kB, at), kA, 1, at);
  const TensorBase s = sigmoid(v, at);
  const TensorBase bell = mul(s, rsub(s, 1, 1, at), at);
  const TensorBase turn = mul(mul(input, rsub(s, 1, 2, at), at), slope, at);
  const TensorBase first = mul(slope, add(turn, 2, 1, at), at);
  const TensorBase second = mul(squared, 6 * kB, at);
  return mul(grad, mul(bell, add(first, second, 1, at), at), at);
}

TensorBase conj(const TensorBase& input, CallSite at) {
  return is_complex(input.dtype()) ? conj_physical(input, at) : input;
}

// Only what is across the direction moves it: (g - Re(g * conj(s)) * s) / |z|.
TensorBase sgn_grad(const TensorBase& grad, const TensorBase& input, const TensorBase& result,
                    CallSite at) {
  if (!is_complex(input.dtype())) return mul(grad, 0, at);
  const TensorBase along = mul(grad, conj_physical(result, at), at);
  const TensorBase real_part = mul(add(along, conj_physical(along, at), 1, at), 0.5, at);
  const TensorBase across = sub(grad, mul(real_part, result, at), 1, at);
  return where(eq(input, 0, at), 0, div(across, abs(input, at), at), at);
}

}  // namespace eagre::ops
