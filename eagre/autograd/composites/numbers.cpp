// Parts and kinds of numbers, and comparisons of whole tensors, written with other operators.
#include <eagre/autograd/ops/abs.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/all.h>
#include <eagre/autograd/ops/allclose.h>
#include <eagre/autograd/ops/angle.h>
#include <eagre/autograd/ops/atan2.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/complex.h>
#include <eagre/autograd/ops/cos.h>
#include <eagre/autograd/ops/count_nonzero.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/equal.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/imag.h>
#include <eagre/autograd/ops/is_nonzero.h>
#include <eagre/autograd/ops/is_same_size.h>
#include <eagre/autograd/ops/isclose.h>
#include <eagre/autograd/ops/isfinite.h>
#include <eagre/autograd/ops/isnan.h>
#include <eagre/autograd/ops/isneginf.h>
#include <eagre/autograd/ops/isposinf.h>
#include <eagre/autograd/ops/isreal.h>
#include <eagre/autograd/ops/le.h>
#include <eagre/autograd/ops/logical_and.h>
#include <eagre/autograd/ops/logical_or.h>
#include <eagre/autograd/ops/lt.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/nan_to_num.h>
#include <eagre/autograd/ops/ne.h>
#include <eagre/autograd/ops/polar.h>
#include <eagre/autograd/ops/positive.h>
#include <eagre/autograd/ops/real.h>
#include <eagre/autograd/ops/replace_special.h>
#include <eagre/autograd/ops/sin.h>
#include <eagre/autograd/ops/stack.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/view_as_complex.h>
#include <eagre/autograd/ops/where.h>

#include <limits>

#include <eagre/base/error.h>
#include <eagre/core/can_hold.h>
#include <eagre/core/shape.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The only element as a truth value, from whatever device.
bool truth_of(const char* op, const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get(op, "input");
  if (impl.key.kind == TensorKind::kBatched) dispatch::raise_batched(op);
  const TensorBase here = dispatch::on_device(tensor, Device());
  return Scalar::load(here.dtype(), here.data_ptr()).wrapped<bool>();
}

TensorBase is_infinity(const char* op, const TensorBase& input, double infinity, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.dtype()), kType, op,
              "(): argument 'input' must not be complex, which has no positive and negative, but "
              "got ",
              input.dtype());
  return eq(input, infinity, at);
}

// Both parts of complex numbers: in one of the dtypes that complex numbers have.
void check_parts(const char* op, const char* first, const TensorBase& a, const char* second,
                 const TensorBase& b, CallSite at) {
  const SiteScope scope(at);
  const auto check = [&](const char* name, DType dtype) {
    if (dtype == kFloat32 || dtype == kFloat64) return;
    raise(ErrorKind::kUnimplemented,
          ArgumentProblem{op, name, "a tensor of float32 or float64", concat(dtype)});
  };
  check(first, a.get(op, first).key.dtype);
  check(second, b.get(op, second).key.dtype);
  if (a.dtype() == b.dtype()) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, second, concat("a tensor of ", a.dtype(), ", as '", first, "' is"),
                        concat(b.dtype()), "convert one of them with .to(dtype)"});
}

void check_tolerance(const char* name, double value) {
  if (value >= 0) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"isclose", name, "a number that is not negative", concat(value)});
}

}  // namespace

TensorBase positive(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dtype() != kBool, kUnimplemented,
              "positive(): bool tensors have no sign. Hint: convert them to numbers");
  return input;
}

TensorBase angle(const TensorBase& input, CallSite at) {
  if (is_complex(input.dtype())) return atan2(imag(input, at), real(input, at), at);
  const TensorBase x = is_differentiable(input.dtype()) ? input : cast(input, default_dtype(), at);
  const TensorBase at_zero = where(lt(x, 0, at), 3.141592653589793, mul(x, 0, at), at);
  // 0 times an infinite number is none.
  return where(eq(x, kInfinity, at), 0, at_zero, at);
}

TensorBase complex(const TensorBase& real, const TensorBase& imag, CallSite at) {
  check_parts("complex", "real", real, "imag", imag, at);
  const DimVector sizes = broadcast_shapes("complex", real.sizes(), imag.sizes());
  const TensorBase parts[] = {expand(real, sizes, at), expand(imag, sizes, at)};
  return view_as_complex(stack(TensorList(parts, 2), -1, at), at);
}

TensorBase polar(const TensorBase& abs, const TensorBase& angle, CallSite at) {
  check_parts("polar", "abs", abs, "angle", angle, at);
  return complex(mul(abs, cos(angle, at), at), mul(abs, sin(angle, at), at), at);
}

TensorBase isposinf(const TensorBase& input, CallSite at) {
  return is_infinity("isposinf", input, kInfinity, at);
}
TensorBase isneginf(const TensorBase& input, CallSite at) {
  return is_infinity("isneginf", input, -kInfinity, at);
}

TensorBase isreal(const TensorBase& input, CallSite at) {
  if (is_complex(input.dtype())) return eq(imag(input, at), 0, at);
  return full(input.sizes(), true, TensorOptions(kBool).device(input.device()), at);
}

TensorBase nan_to_num(const TensorBase& input, std::optional<double> nan,
                      std::optional<double> posinf, std::optional<double> neginf, CallSite at) {
  if (!is_differentiable(input.dtype())) return clone(input, at);
  double largest = 0;
  visit_dtype(real_dtype(input.dtype()), [&](auto zero) {
    if constexpr (!kIsComplex<decltype(zero)>) largest = largest_finite<decltype(zero)>();
  });
  return replace_special(input, nan.value_or(0), posinf.value_or(largest),
                         neginf.value_or(-largest), at);
}

TensorBase isclose(const TensorBase& input, const TensorBase& other, double rtol, double atol,
                   bool equal_nan, CallSite at) {
  {
    const SiteScope scope(at);
    if (input.dtype() != other.dtype()) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"isclose", "other",
                            concat("a tensor of ", input.dtype(), ", as 'input' is"),
                            concat(other.dtype()), "convert one of them with .to(dtype)"});
    }
    check_tolerance("rtol", rtol);
    check_tolerance("atol", atol);
  }
  TensorBase close = eq(input, other, at);
  if (equal_nan && is_differentiable(input.dtype())) {
    close = logical_or(close, logical_and(isnan(input, at), isnan(other, at), at), at);
  }
  if (input.dtype() == kBool || (rtol == 0 && atol == 0)) return close;
  const TensorBase distance = abs(sub(input, other, 1, at), at);
  const TensorBase allowed = add(mul(abs(other, at), rtol, at), atol, 1, at);
  const TensorBase near = logical_and(isfinite(distance, at), le(distance, allowed, at), at);
  return logical_or(close, near, at);
}

bool allclose(const TensorBase& input, const TensorBase& other, double rtol, double atol,
              bool equal_nan, CallSite at) {
  return truth_of("allclose", all(isclose(input, other, rtol, atol, equal_nan, at), {}, false, at));
}

bool equal(const TensorBase& input, const TensorBase& other, CallSite at) {
  if (!(input.sizes() == other.sizes())) return false;
  return truth_of("equal", all(eq(input, other, at), {}, false, at));
}

bool is_same_size(const TensorBase& input, const TensorBase& other, CallSite) {
  return input.sizes() == other.sizes();
}

bool is_nonzero(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.numel() == 1, kInvalidArgument, "is_nonzero(): the truth of a tensor with ",
              input.numel(), " elements is ambiguous. Hint: use any() or all()");
  return truth_of("is_nonzero", input);
}

TensorBase count_nonzero(const TensorBase& input, const OptionalDims& dim, CallSite at) {
  return sum(ne(input, 0, at), dim, false, {}, at);
}

}  // namespace eagre::ops
