// Lists of tensors: what operators take (`Tensor[]` in the op records) and what they give back.
#pragma once

#include <vector>

#include <eagre/core/tensor_base.h>

namespace eagre {

using TensorVector = std::vector<TensorBase>;
using ShapeList = std::vector<DimVector>;

// Refers to tensors that live elsewhere: no longer than the call it is an argument of.
class TensorList : public Span<const TensorBase> {
 public:
  using Span::Span;
  TensorList(Span<const TensorBase> tensors) : Span(tensors) {}  // NOLINT: the same list
  // Any handle that adds no data of its own, like Tensor of the public API.
  template <class Handle>
  requires(std::is_base_of_v<TensorBase, Handle> && sizeof(Handle) == sizeof(TensorBase))
      TensorList(const std::vector<Handle>& tensors)  // NOLINT
      : Span(static_cast<const TensorBase*>(tensors.data()), tensors.size()) {}
  template <class Handle>
  requires(std::is_base_of_v<TensorBase, Handle> && sizeof(Handle) == sizeof(TensorBase))
      TensorList(std::initializer_list<Handle> tensors)  // NOLINT
      : Span(static_cast<const TensorBase*>(tensors.begin()), tensors.size()) {}
};

inline ShapeList shapes_of(TensorList tensors) {
  ShapeList shapes;
  shapes.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) shapes.emplace_back(tensor.sizes());
  return shapes;
}

}  // namespace eagre
