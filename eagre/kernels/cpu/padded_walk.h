// A tensor and the same with a border, as both lie in memory: row-major or with channels last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu {

// Dimensions from the outermost to the innermost; neighbours without a border are one.
struct PaddedWalk {
  DimVector sizes, padded, before;
  int64_t inner = 1;  // elements behind the last dimension that has a border

  PaddedWalk(const TensorView& plain, const TensorView& with_border, Dims pad) {
    const size_t rank = plain.sizes.size();
    const bool channels_last = !is_contiguous(plain.sizes, plain.strides) ||
                               !is_contiguous(with_border.sizes, with_border.strides);
    bool after_border = true;
    for (size_t i = 0; i < rank; ++i) {
      const size_t d = !channels_last || i == 0 ? i : i + 1 == rank ? 1 : i + 1;
      const size_t place = 2 * (rank - 1 - d);
      const bool has_border = place < pad.size() && (pad[place] != 0 || pad[place + 1] != 0);
      if (has_border || after_border) {
        sizes.push_back(plain.sizes[d]);
        padded.push_back(with_border.sizes[d]);
        before.push_back(has_border ? pad[place] : 0);
      } else {
        sizes.back() *= plain.sizes[d];
        padded.back() *= plain.sizes[d];
      }
      after_border = has_border;
    }
    if (!after_border && !sizes.empty()) {
      inner = sizes.back();
      sizes.resize(sizes.size() - 1);
    }
    if (sizes.empty()) {  // no border at all
      sizes.push_back(1);
      padded = sizes;
      before = DimVector(1);
    }
  }

  size_t last() const { return sizes.size() - 1; }
  int64_t rows() const {
    int64_t count = 1;
    for (size_t d = 0; d < last(); ++d) count *= padded[d];
    return count;
  }

  // f(row, from) for rows of the padded tensor, and those of the plain one that they show, or -1.
  // place(d, i) says which element of dimension d the padded one shows at i, or -1.
  template <class Place, class F>
  void each_row(int64_t begin, int64_t end, const Place& place, const F& f) const {
    if (last() == 0) return f(0, 0);
    const size_t d_row = last() - 1;
    const int64_t height = padded[d_row];
    for (int64_t row = begin; row < end;) {
      int64_t rest = row / height, index = row % height, base = 0, stride = sizes[d_row];
      bool inside = true;
      for (size_t d = d_row; d-- > 0;) {
        const int64_t at = place(d, rest % padded[d]);
        rest /= padded[d];
        inside &= at >= 0;
        base += at * stride;
        stride *= sizes[d];
      }
      for (; index < height && row < end; ++index, ++row) {
        const int64_t at = place(d_row, index);
        f(row, inside && at >= 0 ? base + at : -1);
      }
    }
  }
};

}  // namespace eagre::kernels::cpu
