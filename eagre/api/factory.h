// Tensors from values in the program.
#pragma once

#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include <eagre/api/tensor.h>
#include <eagre/core/options.h>

namespace eagre {

// A copy of `data` in row-major order.
EAGRE_API Tensor tensor_from(const void* data, DType dtype, Dims sizes, TensorOptions options = {});

// Memory of the caller, not copied: row-major, or with strides (in elements). `deleter(data)` is
// called when the last tensor on it is gone, and must not throw; the memory is still the caller's
// if this call fails.
using BlobDeleter = std::function<void(void*)>;
EAGRE_API Tensor from_blob(void* data, Dims sizes, TensorOptions options = {});
EAGRE_API Tensor from_blob(void* data, Dims sizes, Dims strides, TensorOptions options = {});
EAGRE_API Tensor from_blob(void* data, Dims sizes, BlobDeleter deleter, TensorOptions options = {});
EAGRE_API Tensor from_blob(void* data, Dims sizes, Dims strides, BlobDeleter deleter,
                           TensorOptions options = {});

// A vector of the values' type; other numbers than bool, int64_t, float and double become the
// nearest of these.
template <class T>
Tensor tensor(Span<const T> values, TensorOptions options = {}) {
  const int64_t sizes[] = {static_cast<int64_t>(values.size())};
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, int64_t>) {
    SmallVector<int64_t, 32> wide;
    for (T value : values) wide.push_back(static_cast<int64_t>(value));
    return tensor_from(wide.data(), kInt64, sizes, options);
  } else {
    return tensor_from(values.data(), DTypeOf<T>::value, sizes, options);
  }
}
// tensor({1.0F, 2.0F})
template <class T>
Tensor tensor(std::initializer_list<T> values, TensorOptions options = {}) {
  return tensor(Span<const T>(values.begin(), values.size()), options);
}
template <class T>
requires(!std::is_same_v<T, bool>)  // whose vector has no array of bool inside
    Tensor tensor(const std::vector<T>& values, TensorOptions options = {}) {
  return tensor(Span<const T>(values.data(), values.size()), options);
}

// A 0-dim tensor.
template <class T>
requires std::is_arithmetic_v<T> Tensor tensor(T value, TensorOptions options = {}) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const int64_t wide = static_cast<int64_t>(value);
    return tensor_from(&wide, kInt64, {}, options);
  } else {
    return tensor_from(&value, DTypeOf<T>::value, {}, options);
  }
}

}  // namespace eagre
