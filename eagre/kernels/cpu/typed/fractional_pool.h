// fractional_max_pool: the largest elements of windows that begin at places which a random number
// of each plane spreads over it (B. Graham, "Fractional Max-Pooling", 2014).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

// Where window `i` of `count` begins along `size` elements. Whatever the number is, inside of them.
template <class T>
static int64_t fractional_start(int64_t i, T sample, int64_t size, int64_t window, int64_t count) {
  const int64_t most = size - window;
  if (i == count - 1) return most;
  const T step = static_cast<T>(most) / static_cast<T>(count - 1);
  const T far = std::trunc((static_cast<T>(i) + sample) * step) - std::trunc(sample * step);
  // A NaN is at the start.
  return far > 0 ? far < static_cast<T>(most) ? static_cast<int64_t>(far) : most : 0;
}

// Tensors of two or three axes (the last ones), as ones of three.
template <class T>
static void fractional_pool(const TensorView& values, const TensorView& indices,
                            const TensorView& input, const TensorView& samples, Dims window,
                            Dims size) {
  if (values.numel == 0) return;
  int64_t in[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, out[3] = {1, 1, 1};
  const size_t axes = size.size();
  for (size_t i = 0; i < axes; ++i) {
    in[3 - axes + i] = input.sizes[input.sizes.size() - axes + i];
    kernel[3 - axes + i] = window[i];
    out[3 - axes + i] = size[i];
  }
  const int64_t elements = in[0] * in[1] * in[2], results = out[0] * out[1] * out[2];
  const int64_t work = results * kernel[0] * kernel[1] * kernel[2];
  const int64_t grain = work < 32768 ? 32768 / (work + 1) + 1 : 1;
  parallel_for(0, values.numel / results, grain, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const T* const from = input.as<const T>() + plane * elements;
      T* const largest = values.as<T>() + plane * results;
      int64_t* const places = indices.as<int64_t>() + plane * results;
      const auto start = [&](int axis, int64_t i) {
        if (axes == 2 && axis == 0) return int64_t{0};
        // Of two numbers the first is for the last axis; of three each has its own.
        const int number = axes == 2 ? 2 - axis : axis;
        const T sample = samples.as<const T>()[plane * static_cast<int64_t>(axes) + number];
        return fractional_start(i, sample, in[axis], kernel[axis], out[axis]);
      };
      for (int64_t o = 0; o < results; ++o) {
        const int64_t d = start(0, o / (out[1] * out[2])), h = start(1, o / out[2] % out[1]);
        const int64_t w = start(2, o % out[2]);
        T best = -std::numeric_limits<T>::infinity();
        int64_t place = (d * in[1] + h) * in[2] + w;
        for (int64_t z = d; z < d + kernel[0]; ++z) {
          for (int64_t y = h; y < h + kernel[1]; ++y) {
            for (int64_t x = w; x < w + kernel[2]; ++x) {
              const int64_t at = (z * in[1] + y) * in[2] + x;
              if (!(from[at] > best) && !std::isnan(from[at])) continue;
              best = from[at];
              place = at;
            }
          }
        }
        largest[o] = best;
        places[o] = place;
      }
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
