// fill: one value in every place of a tensor with any strides.
#pragma once

#include <algorithm>
#include <cstring>

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

// The first few by hand, the others as copies of them: memcpy uses what the machine has.
template <class T>
void fill_line(T* data, int64_t n, T value) {
  constexpr int64_t kFew = 64, kBlock = 4096;
  int64_t done = std::min(n, kFew);
  std::fill_n(data, done, value);
  while (done < n) {
    const int64_t more = std::min({done, n - done, kBlock});
    std::memcpy(data + done, data, static_cast<size_t>(more) * sizeof(T));
    done += more;
  }
}

template <class T>
void fill(const TensorView& input, const Scalar& value) {
  constexpr int64_t kGrain = 1 << 17;
  const T number = value.wrapped<T>();
  T* data = input.as<T>();
  if (is_contiguous(input.sizes, input.strides)) {
    parallel_for(0, input.numel, kGrain,
                 [=](int64_t begin, int64_t end) { fill_line(data + begin, end - begin, number); });
    return;
  }
  const size_t rank = input.sizes.size();
  const int64_t width = input.sizes.back(), step = input.strides.back();
  for (int64_t row = 0; row < input.numel / width; ++row) {
    int64_t rest = row;
    T* line = data;
    for (size_t d = rank - 1; d-- > 0;) {
      line += rest % input.sizes[d] * input.strides[d];
      rest /= input.sizes[d];
    }
    for (int64_t i = 0; i < width; ++i) line[i * step] = number;
  }
}

}  // namespace eagre::kernels::cpu::typed
