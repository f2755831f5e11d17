// An argument that may be a tensor or a number (`Tensor|Scalar` in the op records).
#pragma once

#include <optional>

#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre {

// Refers to the tensor: lives no longer than the call it is an argument of.
class Operand {
 public:
  Operand(const TensorBase& tensor) : tensor_(&tensor) {}  // NOLINT
  Operand(const Scalar& scalar) : scalar_(scalar) {}       // NOLINT
  template <Number T>
  Operand(T number) : scalar_(number) {}  // NOLINT

  bool is_tensor() const { return tensor_ != nullptr; }
  const TensorBase& tensor() const { return *tensor_; }
  const Scalar& scalar() const { return scalar_; }

 private:
  const TensorBase* tensor_ = nullptr;
  Scalar scalar_;
};

// A tensor that may be left out (`Tensor?`): nothing, an undefined one, or an optional. Refers to
// it.
class OptionalTensor {
 public:
  OptionalTensor() : OptionalTensor(none()) {}
  OptionalTensor(const TensorBase& tensor) : tensor_(&tensor) {}  // NOLINT
  OptionalTensor(std::nullopt_t) : OptionalTensor() {}            // NOLINT
  template <std::derived_from<TensorBase> Handle>
  OptionalTensor(const std::optional<Handle>& tensor)  // NOLINT
      : tensor_(tensor ? &*tensor : &none()) {}

  operator const TensorBase&() const { return *tensor_; }  // NOLINT: this is what it stands for

 private:
  static const TensorBase& none() {
    static const TensorBase& undefined = *new TensorBase;
    return undefined;
  }
  const TensorBase* tensor_;
};

// One that may be left out (`Tensor|Scalar?`).
using OptionalOperand = std::optional<Operand>;

}  // namespace eagre
