// Powers, and their gradients.
#include <array>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/complex.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/float_power.h>
#include <eagre/ops/float_power_number.h>
#include <eagre/ops/frexp.h>
#include <eagre/ops/frexp_exponent.h>
#include <eagre/ops/frexp_mantissa.h>
#include <eagre/ops/full.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/log.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/pow.h>
#include <eagre/ops/pow_grad_base.h>
#include <eagre/ops/pow_grad_exponent.h>
#include <eagre/ops/pow_number.h>
#include <eagre/ops/rpow.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros_of.h>

namespace eagre::ops {

TensorBase rpow(const TensorBase& input, const Operand& other, CallSite at) {
  return pow(operand_to_tensor(other, input, at), input, at);
}

TensorBase pow_number(const Scalar& input, const TensorBase& exponent, CallSite at) {
  return rpow(exponent, input, at);
}

namespace {

// The conjugate of z^p, given conj(z) and conj(p). A real z has no sign of its imaginary part that
// would choose the side of the cut below 0, so there the result is conjugated instead.
TensorBase conjugate_power(const TensorBase& input, Complex<double> power, CallSite at) {
  if (is_complex(input.dtype())) return pow(input, Scalar(power), at);
  return conj(pow(input, Scalar(Complex<double>(power.real, -power.imag)), at), at);
}

}  // namespace

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

namespace {

bool is_complex_operand(const Operand& operand) {
  return operand.is_tensor() ? is_complex(operand.tensor().dtype())
                             : operand.scalar().category() == DTypeCategory::kComplex;
}

}  // namespace

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
  const TensorBase base = full(Dims(), input, TensorOptions(dtype).device(exponent.device()), at);
  return pow(base, cast(exponent, dtype, at), at);
}

std::array<TensorBase, 2> frexp(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(is_floating_point(input.get("frexp", "input").key.dtype), kInvalidArgument,
              "frexp(): argument 'input' must be floating-point, but got ", input.dtype());
  return {frexp_mantissa(input, at), cast(frexp_exponent(input, at), kInt32, at)};
}

}  // namespace eagre::ops
