// Windows of pooling: which elements of each dimension they hold. One to three spatial dimensions
// are three, of which the first may have size 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu {

struct PoolAxis {
  int64_t in = 1, out = 1, kernel = 1, stride = 1, padding = 0, dilation = 1;
  bool adapts = false;  // windows share the input as evenly as they can

  // Of the first element to the last.
  int64_t extent() const { return dilation * (kernel - 1) + 1; }
  int64_t start(int64_t o) const {
    if (adapts) return o * in / out;
    return o * stride - padding;
  }
  // The first element of window `o` that is inside of the input, and what the last is before.
  int64_t begin(int64_t o) const {
    const int64_t first = start(o);
    return first >= 0 ? first : first + (dilation - 1 - first) / dilation * dilation;
  }
  int64_t end(int64_t o) const {
    if (adapts) return ((o + 1) * in + out - 1) / out;
    return std::min(start(o) + extent(), in);
  }
  // At most so many elements of a window are inside.
  int64_t most_elements() const { return adapts ? in / out + 2 : std::min(kernel, in); }
  // How many elements of it count, of the padding too; `dilation` is 1.
  int64_t count(int64_t o, bool with_padding) const {
    if (!with_padding || adapts) return end(o) - begin(o);
    return std::min(start(o) + kernel, in + padding) - start(o);
  }
  // The first window that has element `i`, and the one behind the last; `dilation` is 1.
  int64_t first_with(int64_t i) const {
    if (adapts) return i * out / in;
    const int64_t behind = i + padding - kernel;
    return behind < 0 ? 0 : behind / stride + 1;
  }
  int64_t end_with(int64_t i) const {
    if (adapts) return ((i + 1) * out + in - 1) / in;
    return std::min((i + padding) / stride + 1, out);
  }
  // Is it worth to copy a row with its padding, so that all windows are alike?
  bool is_regular() const { return !adapts && (out - 1) * stride + extent() <= 2 * in + 64; }
};

struct PoolGeometry {
  PoolAxis depth, height, width;
  int64_t planes = 1;  // with channels last: samples
  int64_t inner = 1;   // channels, if those are last
  bool channels_last;

  // `window` has kernel, stride, padding and dilation of each spatial dimension, or is empty.
  // Inlined, since kernels of every instruction set make it.
  [[gnu::always_inline]] PoolGeometry(const TensorView& large, const TensorView& small, Dims window,
                                      int64_t spatial)
      : channels_last(!is_contiguous(large.sizes, large.strides) ||
                      !is_contiguous(small.sizes, small.strides)) {
    const auto count = static_cast<size_t>(spatial);
    const size_t lead = large.sizes.size() - count;
    PoolAxis* const axes[] = {&depth, &height, &width};
    for (size_t i = 0; i < count; ++i) {
      PoolAxis& axis = *axes[3 - count + i];
      axis.in = large.sizes[lead + i];
      axis.out = small.sizes[lead + i];
      axis.adapts = window.empty();
      if (axis.adapts) continue;
      axis.kernel = window[4 * i];
      axis.stride = window[4 * i + 1];
      axis.padding = window[4 * i + 2];
      axis.dilation = window[4 * i + 3];
    }
    for (size_t d = 0; d < lead; ++d) planes *= large.sizes[d];
    if (!channels_last) return;
    planes = large.sizes[0];
    inner = large.sizes[1];
  }

  int64_t in_elements() const { return depth.in * height.in * width.in; }
  int64_t out_elements() const { return depth.out * height.out * width.out; }
  int64_t out_rows() const { return planes * depth.out * height.out; }
  // About how many elements a row of results is made of.
  int64_t row_work() const {
    const auto taps = [](const PoolAxis& axis) {
      return axis.adapts ? axis.in / axis.out + 1 : std::min(axis.kernel, axis.in);
    };
    return taps(depth) * taps(height) * width.in * inner + width.out * inner;
  }

  // Of the first element of a window, in its plane; 0 if it has none.
  int64_t first_place(int64_t d, int64_t h, int64_t w) const {
    const int64_t z = depth.begin(d), y = height.begin(h), x = width.begin(w);
    const bool is_empty = z >= depth.end(d) || y >= height.end(h) || x >= width.end(w);
    return is_empty ? 0 : (z * height.in + y) * width.in + x;
  }

  // f(row, plane, d, h) for rows of results; d and h are those of their windows.
  template <class F>
  void each_row(int64_t begin, int64_t end, const F& f) const {
    int64_t h = begin % height.out, d = begin / height.out % depth.out;
    int64_t plane = begin / height.out / depth.out;
    for (int64_t row = begin; row < end; ++row) {
      f(row, plane, d, h);
      if (++h < height.out) continue;
      h = 0;
      if (++d < depth.out) continue;
      d = 0;
      ++plane;
    }
  }
  // f(first element) for rows of a plane of the input that windows (d, h) hold.
  template <class F>
  void each_input_row(int64_t d, int64_t h, const F& f) const {
    const int64_t z_end = depth.end(d), y_end = height.end(h), y_begin = height.begin(h);
    for (int64_t z = depth.begin(d); z < z_end; z += depth.dilation) {
      for (int64_t y = y_begin; y < y_end; y += height.dilation) {
        f((z * height.in + y) * width.in);
      }
    }
  }
};

}  // namespace eagre::kernels::cpu
