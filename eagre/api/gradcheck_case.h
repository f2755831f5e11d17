// What gradcheck() compares: derivatives of one function at one point, by differences of values, by
// backward and by forward mode. A Jacobian is a real matrix with a row for every part of an output
// and a column for every part of an input, complex numbers having two parts.
#pragma once

#include <eagre/api/gradcheck_options.h>
#include <eagre/api/tensor_function.h>

namespace eagre::autograd {

[[noreturn]] void fail_gradcheck(const std::string& message);

// The numbers of a tensor in a row, complex ones as two.
Tensor parts_of(const Tensor& tensor);
// The same numbers in the shape and dtype of a model.
Tensor from_parts(const Tensor& parts, const Tensor& model);
int64_t part_count(const Tensor& tensor);
// The parts of a tensor like `model`: one is 1, the others 0.
Tensor unit_parts(const Tensor& model, int64_t part);

class GradcheckCase {
 public:
  using Tensors = functional::Tensors;
  // Calls the function once.
  GradcheckCase(const functional::TensorFunction& function, const Tensors& inputs,
                const GradcheckOptions& options, CallSite at);

  const Tensors& outputs() const { return outputs_; }
  // The inputs that require gradients, and which those are among all.
  const Tensors& varied() const { return varied_; }
  size_t number_of(size_t v) const { return numbers_[v]; }
  // Whoever returns a result that does not require grad says that it is none of calculus.
  bool has_derivative(size_t o) const { return outputs_[o].requires_grad(); }
  bool has_derivatives() const {
    for (const Tensor& output : outputs_) {
      if (output.requires_grad()) return true;
    }
    return false;
  }

  // The parts of output `o` change so much when the parts of the varied inputs move in these
  // directions (undefined: not at all).
  Tensor difference(size_t o, const Tensors& directions) const;
  // Backward from output `o`: the parts of the gradients of the varied inputs; zeros where there is
  // none.
  Tensors row(size_t o, const Tensor& weight) const;
  // Forward mode: the tangents of all outputs for these tangents of the varied inputs (undefined:
  // none); zeros where there is none, undefined for outputs without derivatives.
  Tensors tangents(const Tensors& directions) const;

  // No tangent, but zeros, for all varied inputs.
  Tensors zero_tangents() const;

  Tensor numerical(size_t o, size_t v) const;
  // One matrix per varied input.
  Tensors by_backward(size_t o) const;
  // One matrix per output.
  Tensors by_forward(size_t v) const;

 private:
  void add_varied(size_t i);
  Tensors moved(const Tensors& directions, double step) const;
  Tensors with(const Tensors& varied) const;

  const functional::TensorFunction& function_;
  const Tensors& inputs_;
  const GradcheckOptions& options_;
  CallSite at_;
  std::vector<size_t> numbers_;
  Tensors varied_;
  Tensors outputs_;
};

}  // namespace eagre::autograd
