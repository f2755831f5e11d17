// Which dtype an operation on several operands has: PyTorch's rules.
#pragma once

#include <optional>

#include <eagre/base/export.h>
#include <eagre/core/operand.h>

namespace eagre {

constexpr DType promote_types(DType a, DType b) { return a > b ? a : b; }

// Tensors with dimensions decide; 0-dim tensors, then numbers, only raise the category.
class Promotion {
 public:
  void add(const TensorImpl& tensor);
  void add(const Scalar& number);
  void add(const Operand& operand) {
    operand.is_tensor() ? add(operand.tensor().get()) : add(operand.scalar());
  }
  EAGRE_API DType result() const;

 private:
  static void raise_to(std::optional<DType>& current, DType dtype) {
    current = current ? promote_types(*current, dtype) : dtype;
  }
  std::optional<DType> dimensioned_, zero_dim_, number_;
};

inline void Promotion::add(const TensorImpl& tensor) {
  raise_to(tensor.key.rank == 0 ? zero_dim_ : dimensioned_, tensor.key.dtype);
}

// A value of category `from` may be stored as `to` without losing its kind.
constexpr bool can_cast(DTypeCategory from, DType to) { return from <= category(to); }

EAGRE_API DType result_type(const Operand& a, const Operand& b);

}  // namespace eagre
