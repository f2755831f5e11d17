// Complex numbers: their parts, and what becomes of conjugates.
#include <limits>

#include <eagre/autograd/tape/conjugate.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar_type_name.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/abs.h>
#include <eagre/ops/add.h>
#include <eagre/ops/angle.h>
#include <eagre/ops/as_floating.h>
#include <eagre/ops/atan2.h>
#include <eagre/ops/complex.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/conj_elements.h>
#include <eagre/ops/conj_physical.h>
#include <eagre/ops/cos.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/imag.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/polar.h>
#include <eagre/ops/real.h>
#include <eagre/ops/sgn_grad.h>
#include <eagre/ops/sin.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/view_as_complex.h>
#include <eagre/ops/where.h>

namespace eagre::autograd {

void conjugate_complex(TensorBase& tensor, CallSite at) { tensor = ops::conj_elements(tensor, at); }

}  // namespace eagre::autograd

namespace eagre::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Both parts of complex numbers: in one of the dtypes that complex numbers have.
void check_parts(const char* op, const char* first, const TensorBase& a, const char* second,
                 const TensorBase& b, CallSite at) {
  const SiteScope scope(at);
  const auto check = [&](const char* name, DType dtype) {
    if (is_floating_point(dtype) && real_dtype(complex_dtype(dtype)) == dtype) return;
    raise(ErrorKind::kUnimplemented,
          ArgumentProblem{op, name, "a tensor of float16, float32 or float64", concat(dtype)});
  };
  check(first, a.get(op, first).key.dtype);
  check(second, b.get(op, second).key.dtype);
  if (a.dtype() == b.dtype()) return;
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): Expected object of scalar type ", scalar_type_name(a.dtype()),
               " but got scalar type ", scalar_type_name(b.dtype()), " for second argument: '",
               second, "' must be ", a.dtype(), ", as '", first, "' is, but got ", b.dtype(),
               ". Hint: convert one of them with .to(dtype)"));
}

}  // namespace

TensorBase angle(const TensorBase& input, CallSite at) {
  if (is_complex(input.dtype())) return atan2(imag(input, at), real(input, at), at);
  const TensorBase x = as_floating(input, at);
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

TensorBase conj(const TensorBase& input, CallSite at) {
  return is_complex(input.dtype()) ? conj_elements(input, at) : input;
}

TensorBase conj_physical(const TensorBase& input, CallSite at) { return conj(input, at); }

// Only what is across the direction moves it: (g - Re(g * conj(s)) * s) / |z|.
TensorBase sgn_grad(const TensorBase& grad, const TensorBase& input, const TensorBase& result,
                    CallSite at) {
  if (!is_complex(input.dtype())) return mul(grad, 0, at);
  const TensorBase along = mul(grad, conj_elements(result, at), at);
  const TensorBase real_part = mul(add(along, conj_elements(along, at), 1, at), 0.5, at);
  const TensorBase across = sub(grad, mul(real_part, result, at), 1, at);
  return where(eq(input, 0, at), 0, div(across, abs(input, at), at), at);
}

}  // namespace eagre::ops
