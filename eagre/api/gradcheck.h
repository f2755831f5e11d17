// Comparing gradients with differences of values: the test of every formula and custom function.
#pragma once

#include <eagre/api/functional.h>
#include <eagre/base/error.h>

namespace eagre::autograd {

struct GradcheckOptions {
  double eps = 1e-6;
  double atol = 1e-5;
  double rtol = 1e-3;
  bool raise_exception = true;  // false: gradients that do not fit make the result false
  double nondet_tol = 0.0;      // how far gradients of the same call may differ
  // Backward must take gradients that are not there as zeros; so must forward mode with tangents.
  bool check_undefined_grad = true;
  bool check_grad_dtypes = false;  // gradients have the dtypes of their inputs
  // Backward, or forward mode, of a batch of vectors (by vmap) gives what a loop over them does.
  bool check_batched_grad = false;
  bool check_batched_forward_grad = false;
  bool check_forward_ad = false;  // forward mode
  bool check_backward_ad = true;  // backward
  // One random direction instead of every element: quick, and nearly as sharp.
  bool fast_mode = false;
  bool masked = false;  // of sparse tensors, which there are none of yet: an error

  // --- only for gradgradcheck() ---
  bool gen_non_contig_grad_outputs = false;  // random gradients of outputs are not contiguous
  bool check_fwd_over_rev = false;           // forward mode through backward
  bool check_rev_over_rev = true;            // backward through backward
};

// The gradients are wrong; other errors are those of the function.
class EAGRE_API GradcheckError : public Error {
 public:
  explicit GradcheckError(std::string message) : Error(ErrorKind::kAutograd, std::move(message)) {}
};

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
