// Transforms: functions from functions, as torch.func has them. They compose: grad(grad(f)) is the
// second derivative, jacrev(grad(f)) the Hessian. Results can be differentiated again, also by what
// the function uses besides its inputs, where these require gradients.
#pragma once

#include <utility>

#include <eagre/api/functional.h>

namespace eagre::func {

using autograd::functional::SingleFunction;
using autograd::functional::TensorFunction;
using autograd::functional::Tensors;

// x -> the gradient of function(x), which must have one element.
EAGRE_API SingleFunction grad(SingleFunction function);
// The same by all of several inputs.
EAGRE_API TensorFunction grad(TensorFunction function);
// x -> the value and the gradient.
EAGRE_API std::function<std::pair<Tensor, Tensor>(const Tensor&)> value_and_grad(
    SingleFunction function);

// The results of the function, and a function from their gradients to those of the inputs.
EAGRE_API std::pair<Tensors, TensorFunction> vjp(const TensorFunction& function,
                                                 const Tensors& primals);
// The results of the function, and their derivatives in the direction of the tangents, by forward
// mode.
EAGRE_API std::pair<Tensors, Tensors> jvp(const TensorFunction& function, const Tensors& primals,
                                          const Tensors& tangents);

// x -> the Jacobian of the function at x: all rows at once by backward, or all columns at once by
// forward mode. The first is better where there are fewer results than inputs.
EAGRE_API SingleFunction jacrev(SingleFunction function);
EAGRE_API SingleFunction jacfwd(SingleFunction function);
// x -> the Hessian of the function at x: forward mode over backward.
EAGRE_API SingleFunction hessian(SingleFunction function);

}  // namespace eagre::func
