// Tensors from values in the program.
#pragma once

#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include <eagre/api/nested_numbers.h>
#include <eagre/api/tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/core/options.h>

namespace eagre {

// A copy of `data` in row-major order.
EAGRE_API Tensor tensor_from(const void* data, DType dtype, Dims sizes, TensorOptions options = {});

// Memory of the caller, not copied: row-major, or with strides (in elements). `deleter(data)` is
// called when the last tensor on it is gone, and must not throw; the memory is still the caller's
// if this call fails.
using BlobDeleter = std::function<void(void*)>;
EAGRE_API Tensor from_blob(void* data, Dims sizes, TensorOptions options = {},
                           CallSite at = std::source_location::current());
EAGRE_API Tensor from_blob(void* data, Dims sizes, Dims strides, TensorOptions options = {},
                           CallSite at = std::source_location::current());
EAGRE_API Tensor from_blob(void* data, Dims sizes, BlobDeleter deleter, TensorOptions options = {},
                           CallSite at = std::source_location::current());
EAGRE_API Tensor from_blob(void* data, Dims sizes, Dims strides, BlobDeleter deleter,
                           TensorOptions options = {},
                           CallSite at = std::source_location::current());

// Numbers that the program gives, of `natural` dtype unless another is chosen: one that it cannot
// hold is an error.
EAGRE_API Tensor tensor_of(const void* data, DType stored, DType natural, Dims sizes,
                           const TensorOptions& options);
EAGRE_API Tensor tensor_of(Span<const Scalar> numbers, DType natural, Dims sizes,
                           const TensorOptions& options);

// A vector; integers become int64, real numbers the default dtype.
template <Element T>
Tensor tensor(Span<const T> values, TensorOptions options = {}) {
  const int64_t sizes[] = {static_cast<int64_t>(values.size())};
  return tensor_of(values.data(), stored_dtype<T>(), written_dtype<T>(), sizes, options);
}
// tensor({1.0F, 2.0F})
template <Element T>
Tensor tensor(std::initializer_list<T> values, TensorOptions options = {}) {
  return tensor(Span<const T>(values.begin(), values.size()), options);
}
template <Element T>
requires(!std::is_same_v<T, bool>) Tensor
    tensor(const std::vector<T>& values, TensorOptions options = {}) {
  return tensor(Span<const T>(values.data(), values.size()), options);
}
// Which has no array of bool inside.
EAGRE_API Tensor tensor(const std::vector<bool>& values, TensorOptions options = {});
// tensor({{1, 2}, {3, 4.5}}): the dtype that all numbers promote to.
EAGRE_API Tensor tensor(std::initializer_list<NestedNumbers> values, TensorOptions options = {});

// A 0-dim tensor.
template <Number T>
requires Element<T> Tensor tensor(T value, TensorOptions options = {}) {
  return tensor_of(&value, stored_dtype<T>(), written_dtype<T>(), {}, options);
}

}  // namespace eagre
