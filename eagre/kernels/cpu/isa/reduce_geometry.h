// The dimensions of a reduction, sorted and merged, and the walk over its results.
#pragma once

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/share.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

struct Axis {
  int64_t size, input_stride, out_stride;
};

EAGRE_INLINE int64_t magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

// Dimensions by falling stride; neighbours that step through memory as one are merged.
struct Axes {
  Axis list[kMaxDims];
  int64_t count = 0;

  void add(Axis axis) {
    if (axis.size == 1) return;
    int64_t place = count++;
    for (; place > 0 && magnitude(list[place - 1].input_stride) < magnitude(axis.input_stride);
         --place) {
      list[place] = list[place - 1];
    }
    list[place] = axis;
  }
  void merge() {
    int64_t kept = 0;
    for (int64_t i = 1; i < count; ++i) {
      Axis& outer = list[kept];
      const Axis& inner = list[i];
      if (outer.input_stride == inner.input_stride * inner.size &&
          outer.out_stride == inner.out_stride * inner.size) {
        outer = {outer.size * inner.size, inner.input_stride, inner.out_stride};
      } else {
        list[++kept] = inner;
      }
    }
    if (count > 0) count = kept + 1;
  }
  int64_t numel() const {
    int64_t product = 1;
    for (int64_t i = 0; i < count; ++i) product *= list[i].size;
    return product;
  }
  // The input's offset of position `index`, the last dimension running fastest.
  int64_t offset(int64_t index) const {
    int64_t offset = 0;
    for (int64_t i = count; i-- > 0; index /= list[i].size) {
      offset += index % list[i].size * list[i].input_stride;
    }
    return offset;
  }
};

// Bit d is set when dimension d is reduced; no list and an empty list both mean all.
inline uint64_t reduced_dims(const TensorView& input, const OptionalDims& dims) {
  if (dims.values().empty()) return ~uint64_t{0};
  const int64_t extent = input.rank() == 0 ? 1 : input.rank();  // 0-dim: 0 and -1 are good
  uint64_t mask = 0;
  for (int64_t dim : dims.values()) mask |= uint64_t{1} << (dim < 0 ? dim + extent : dim);
  return mask;
}

// The result is contiguous: its elements are the dimensions that stay, in their order.
struct Reduction {
  Axes kept, reduced;

  Reduction(const TensorView& input, uint64_t mask) {
    int64_t out_stride = 1;
    for (int64_t d = input.rank(); d-- > 0;) {
      if ((mask >> d & 1) != 0) {
        reduced.add({input.sizes[d], input.strides[d], 0});
      } else {
        kept.add({input.sizes[d], input.strides[d], out_stride});
        out_stride *= input.sizes[d];
      }
    }
    kept.merge();
    reduced.merge();
  }
  // Neighbouring results come from neighbouring inputs, and what is reduced lies further apart.
  bool has_columns() const {
    if (kept.count == 0) return false;
    const Axis& last = kept.list[kept.count - 1];
    const bool has_rows = reduced.count > 0 && reduced.list[reduced.count - 1].input_stride == 1;
    return last.input_stride == 1 && last.out_stride == 1 && !has_rows;
  }
};

// Where some results are made: `width` neighbouring ones, each from the positions of `reduced`.
template <class T>
struct Cell {
  const T* data;
  int64_t out;
  int64_t width;
  const Axes& reduced;
};

// So many results next to each other are made at once: their sums stay in the L1 cache.
constexpr int64_t kColumnBytes = 16 * 1024;

// Rows of a cell that are always folded by one thread.
constexpr int64_t kFoldedRows = 64;

// How many columns a cell has. Each column is folded by itself, so this changes no result, but
// that a column alone would be folded as a row. Threads share rows if there are enough: these lie
// together.
inline int64_t columns_per_cell(int64_t columns, int64_t rows, int64_t most) {
  const int64_t threads = get_num_threads();
  int64_t each = most;
  if (columns >= 1024 && rows < kFoldedRows * threads) {
    each = (columns / threads + 63) / 64 * 64;
    each = each < 256 ? 256 : each > most ? most : each;
  }
  while (columns > each && columns % each == 1) each += 64;
  return each;
}

template <class T, class F>
void for_each_cell(const Reduction& reduction, const T* data, F f) {
  const bool has_columns = reduction.has_columns();
  const Axes& kept = reduction.kept;
  const int64_t outer = has_columns ? kept.count - 1 : kept.count;
  const int64_t columns = has_columns ? kept.list[outer].size : 1;
  int64_t cells = 1;
  for (int64_t i = 0; i < outer; ++i) cells *= kept.list[i].size;
  const auto run = [&](int64_t cell, int64_t column, int64_t width) {
    int64_t in = 0, out = 0, index = cell;
    for (int64_t i = outer; i-- > 0; index /= kept.list[i].size) {
      const int64_t step = index % kept.list[i].size;
      in += step * kept.list[i].input_stride;
      out += step * kept.list[i].out_stride;
    }
    f(Cell<T>{data + in + column, out + column, width, reduction.reduced});
  };
  const int64_t depth = reduction.reduced.numel();
  constexpr int64_t kMost = kColumnBytes / static_cast<int64_t>(sizeof(T));
  const int64_t tile = columns_per_cell(columns, depth, kMost);
  const int64_t tiles = (columns - 1) / tile + 1;
  const int64_t width = columns < tile ? columns : tile;
  const auto range = [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t column = task % tiles * tile;
      run(task / tiles, column, columns - column < tile ? columns - column : tile);
    }
  };
  // Threads share cells, or the rows of each if those are few and large.
  if (cells * tiles < get_num_threads() && depth * width >= 2 * kSharedElements) {
    return range(0, cells * tiles);
  }
  share(cells * tiles, depth * width, range);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
