// Comparing gradients with differences of values: the test of every formula and custom function.
#pragma once

#include <eagre/api/gradcheck_options.h>
#include <eagre/api/tensor_function.h>

namespace eagre::autograd {

// Are the gradients of the function those of its values, at `inputs`? Inputs that require
// gradients are varied; they should be of double precision. Complex numbers count as pairs.
EAGRE_API bool gradcheck(const functional::TensorFunction& function,
                         const functional::Tensors& inputs, const GradcheckOptions& options = {},
                         CallSite at = std::source_location::current());

// The same for the gradients of the gradients, by the inputs and by the gradients of the outputs,
// which are random numbers if none are given.
EAGRE_API bool gradgradcheck(const functional::TensorFunction& function,
                             const functional::Tensors& inputs,
                             const functional::Tensors& grad_outputs = {},
                             const GradcheckOptions& options = {},
                             CallSite at = std::source_location::current());

}  // namespace eagre::autograd
