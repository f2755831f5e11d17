// Derivatives of functions as functions: products with Jacobians and Hessians, and these matrices
// themselves. A function takes tensors and returns tensors; where it has one argument and one
// result, the forms with a single tensor are shorter.
#pragma once

#include <eagre/api/tensor_function.h>  // IWYU pragma: export

namespace eagre::autograd::functional {

// How the columns or rows of a matrix are computed.
enum class Strategy : uint8_t {
  kReverse,  // row by row, by backward
  kForward,  // column by column, by forward mode; only with vectorize
};

struct Options {
  bool create_graph = false;  // the result can be differentiated again
  bool strict = false;  // an output that does not depend on an input is an error instead of zeros
  bool vectorize = false;  // all rows (or columns) at once, by vmap; for matrices only
  Strategy strategy = Strategy::kReverse;  // of hessian(): for the outer derivative
};

// What the function returned, and the product: one tensor per input (vjp, vhp, hvp) or per output
// (jvp).
struct Product {
  Tensors outputs;
  Tensors product;
};

// v times the Jacobian. Without v, there must be one output with one element.
EAGRE_API Product vjp(const TensorFunction& function, const Tensors& inputs, const Tensors& v = {},
                      Options options = {}, CallSite at = std::source_location::current());
// The Jacobian times v. Without v, there must be one input with one element.
EAGRE_API Product jvp(const TensorFunction& function, const Tensors& inputs, const Tensors& v = {},
                      Options options = {}, CallSite at = std::source_location::current());

// Element [i][j]: output i by input j, of the shape of the output and then that of the input.
EAGRE_API Matrix jacobian(const TensorFunction& function, const Tensors& inputs,
                          Options options = {}, CallSite at = std::source_location::current());
EAGRE_API Tensor jacobian(const SingleFunction& function, const Tensor& input, Options options = {},
                          CallSite at = std::source_location::current());

// Of functions with one output of one element. Element [i][j]: by input i and input j.
EAGRE_API Matrix hessian(const TensorFunction& function, const Tensors& inputs,
                         Options options = {}, CallSite at = std::source_location::current());
EAGRE_API Tensor hessian(const SingleFunction& function, const Tensor& input, Options options = {},
                         CallSite at = std::source_location::current());
// v times the Hessian, and the Hessian times v: the same numbers for smooth functions. vhp costs
// less.
EAGRE_API Product vhp(const TensorFunction& function, const Tensors& inputs, const Tensors& v = {},
                      Options options = {}, CallSite at = std::source_location::current());
EAGRE_API Product hvp(const TensorFunction& function, const Tensors& inputs, const Tensors& v = {},
                      Options options = {}, CallSite at = std::source_location::current());

}  // namespace eagre::autograd::functional
