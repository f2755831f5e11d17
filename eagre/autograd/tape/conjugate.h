// Saved values as formulas of holomorphic functions read them. The gradient of a real loss L at the
// complex z is dL/dx + i dL/dy, so a chain rule multiplies by the conjugate of f'(z): that is f' of
// the conjugate, since all our functions have real coefficients.
#pragma once

#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>

namespace eagre::autograd {

EAGRE_API EAGRE_COLD void conjugate_complex(TensorBase& tensor, CallSite at);

inline void conjugate(TensorBase& tensor, CallSite at) {
  if (tensor.defined() && is_complex(tensor.dtype())) [[unlikely]]
    conjugate_complex(tensor, at);
}

// `operand` refers to `owner`, unless it is a real number.
inline void conjugate([[maybe_unused]] const Operand& operand, TensorBase& owner, CallSite at) {
  conjugate(owner, at);
}

inline Scalar conjugate(const Scalar& number) {
  if (number.category() != DTypeCategory::kComplex) [[likely]]
    return number;
  const auto z = number.wrapped<Complex<double>>();
  return Complex<double>(z.real, -z.imag);
}

}  // namespace eagre::autograd
