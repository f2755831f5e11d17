// Transforms: functions from functions, as torch.func has them. They compose: grad(grad(f)) is the
// second derivative, jacrev(grad(f)) the Hessian. Results can be differentiated again, also by what
// the function uses besides its inputs, where these require gradients.
#pragma once

#include <optional>
#include <utility>

#include <eagre/api/tensor_function.h>  // IWYU pragma: export
#include <eagre/api/vmap.h>

namespace eagre::func {

using autograd::functional::Matrix;

// The shape of a block of a Jacobian: that of the output, and then that of the input.
DimVector joined(Dims output, Dims input);

// A call of a function that is ready for backward: what grad(), vjp() and jacrev() are made of,
// here and in other languages.
//
// Derivatives are recorded in turn if somebody outside may want theirs: another of these functions
// around this one, or whoever asked for gradients of the inputs, or of what the function uses
// besides them.
struct EAGRE_API RecordedCall {
  // `name` is the transform's, for errors.
  RecordedCall(const char* name, const TensorFunction& function, const Tensors& inputs,
               CallSite at = std::source_location::current());
  // One whose parts were kept elsewhere.
  RecordedCall(Tensors own, Tensors outputs, bool goes_on)
      : own(std::move(own)), outputs(std::move(outputs)), goes_on(goes_on) {}

  // An output, or what else the function made, as the caller sees it.
  Tensor outside_value(const Tensor& result) const;
  Tensors outside_value() const;
  // By all inputs, of the outputs with these weights; zeros where nothing depends on an input.
  Tensors gradients(const Tensors& weights, bool keep_graph,
                    CallSite at = std::source_location::current()) const;
  // The rows of the Jacobian that belong to an output, a block per input, all by one backward call
  // or so many at a time.
  Tensors rows(const Tensor& output, std::optional<int64_t> chunk_size = std::nullopt,
               CallSite at = std::source_location::current()) const;

  Tensors own;  // the inputs, as the function saw them
  Tensors outputs;
  bool goes_on;  // derivatives are recorded too
};

// The results of a function, and their derivatives in the direction of the tangents, undefined
// where a result does not depend on the primals.
struct Directional {
  Tensors values;
  Tensors tangents;
};
EAGRE_API Directional directional(const TensorFunction& function, const Tensors& primals,
                                  const Tensors& tangents,
                                  CallSite at = std::source_location::current());

// The Jacobian, all columns by one call of the function: output i by input j, of the shape of the
// output and then that of the input.
EAGRE_API Matrix columns(const TensorFunction& function, const Tensors& inputs,
                         Randomness randomness = Randomness::kError,
                         CallSite at = std::source_location::current());

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
