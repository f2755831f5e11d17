// Lists of tensors: what operators take (`Tensor[]` in the op records) and what they give back.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <eagre/core/tensor_base.h>

namespace eagre {

using TensorVector = std::vector<TensorBase>;
using ShapeList = std::vector<DimVector>;

// A tensor in braces, `cat({a, b})`: the same pointer, without a count. Whoever lends it has it
// until the call is over.
union LentTensor {
  TensorBase tensor;
  LentTensor() : tensor() {}
  LentTensor(const TensorBase& lent) : tensor(TensorBase::adopt(lent.impl())) {}  // NOLINT
  ~LentTensor() {}
};
static_assert(sizeof(LentTensor) == sizeof(TensorBase));

// Refers to tensors that live elsewhere: no longer than the call it is an argument of.
class TensorList : public Span<const TensorBase> {
 public:
  TensorList() = default;
  TensorList(const TensorBase* data, size_t size) : Span(data, size) {}
  TensorList(const TensorBase& one) : Span(&one, 1) {}  // NOLINT: einsum("ij->ji", x)
  // Not by Span's own constructors: the one that takes braces would count the tensors.
  template <class List>
  requires std::is_constructible_v<Span<const TensorBase>, List&> TensorList(List&& tensors)
      : Span(tensors) {}  // NOLINT: the same list
  // Any handle that adds no data of its own, like Tensor of the public API.
  template <class Handle>
  requires(std::is_base_of_v<TensorBase, Handle> && sizeof(Handle) == sizeof(TensorBase))
      TensorList(const std::vector<Handle>& tensors)  // NOLINT
      : Span(static_cast<const TensorBase*>(tensors.data()), tensors.size()) {}
  TensorList(std::initializer_list<LentTensor> tensors)  // NOLINT
      : Span(reinterpret_cast<const TensorBase*>(tensors.begin()), tensors.size()) {}
};

inline ShapeList shapes_of(TensorList tensors) {
  ShapeList shapes;
  shapes.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) shapes.emplace_back(tensor.sizes());
  return shapes;
}

}  // namespace eagre
