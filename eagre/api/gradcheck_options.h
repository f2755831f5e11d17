// What gradcheck() and gradgradcheck() compare, how closely, and the error that they raise.
#pragma once

#include <string>
#include <utility>

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

}  // namespace eagre::autograd
