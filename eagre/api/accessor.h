// Elements of a tensor of known type and rank, without checks: a[i][j].
#pragma once

#include <cstddef>
#include <cstdint>

namespace eagre {

// Refers to the tensor: valid as long as that is, and is not resized.
template <class T, size_t N>
class TensorAccessor {
 public:
  TensorAccessor(T* data, const int64_t* sizes, const int64_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}

  decltype(auto) operator[](int64_t i) const {
    T* place = data_ + i * strides_[0];
    if constexpr (N == 1) {
      return *place;
    } else {
      return TensorAccessor<T, N - 1>(place, sizes_ + 1, strides_ + 1);
    }
  }
  int64_t size(int64_t dim) const { return sizes_[dim]; }
  int64_t stride(int64_t dim) const { return strides_[dim]; }
  T* data() const { return data_; }

 private:
  T* data_;
  const int64_t* sizes_;
  const int64_t* strides_;
};

}  // namespace eagre
