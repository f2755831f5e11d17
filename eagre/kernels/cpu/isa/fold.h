// Folding many values into one, pairwise, in an order that depends on the shape alone: neither the
// isa nor the number of threads changes a bit, and the error grows with log(n).
#pragma once

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/isa/reduce_geometry.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// An operation has kIdentity, map(value, context), combine(a, b) for numbers and vectors, and says
// whether map does anything. The context is one number per result, such as its mean.

template <class T>
constexpr int kFoldLanes = 256 / static_cast<int>(sizeof(T));  // the same with every isa
constexpr int64_t kFoldLeaf = 65536;
template <class T>
constexpr int64_t kFoldBlock = 16384 / static_cast<int64_t>(sizeof(T));  // what is staged at once

// Puts together the first `width` lanes, a power of two, in halves.
template <class Op, class T>
EAGRE_INLINE T join_lanes(T* lanes, int64_t width) {
  for (width /= 2; width > 0; width /= 2) {
    for (int64_t lane = 0; lane < width; ++lane) {
      lanes[lane] = Op::combine(lanes[lane], lanes[lane + width]);
    }
  }
  return lanes[0];
}

// The same for the lanes of a vector that hold the sums of n values, 8 or more.
template <class Op, class T>
EAGRE_INLINE T join_vector(typename Lanes<T>::Vector lanes, int64_t n) {
  using L = Lanes<T>;
  if constexpr (L::kCount >= 16) {
    if (n > 8) lanes = Op::combine(lanes, L::template lanes_from<8>(lanes));
  }
  if constexpr (L::kCount >= 8) lanes = Op::combine(lanes, L::template lanes_from<4>(lanes));
  if constexpr (L::kCount >= 4) lanes = Op::combine(lanes, L::template lanes_from<2>(lanes));
  return Op::combine(lanes[0], lanes[1]);
}

// What the last part of fold_leaf() does when there is nothing before it, without lanes that stay
// at the identity, and with the mapping in whole vectors: rows of few classes are common.
template <class Op, class T>
T fold_short(const T* data, int64_t n, T context) {
  constexpr int kCount = Lanes<T>::kCount;
  T lanes[kFoldLanes<T>];
  int64_t width = 8;
  while (width < n) width *= 2;
  for (int64_t i = 0; i < n; ++i) lanes[i] = data[i];
  if constexpr (Op::kMaps) {
    const int64_t whole = (n + kCount - 1) / kCount * kCount;
    for (int64_t i = n; i < whole; ++i) lanes[i] = data[0];
    for (int64_t i = 0; i < whole; i += kCount) {
#pragma GCC ivdep
      for (int lane = 0; lane < kCount; ++lane) {
        lanes[i + lane] = Op::map(lanes[i + lane], context);
      }
    }
  }
  for (int64_t i = 0; i < n; ++i) lanes[i] = Op::combine(Op::kIdentity, lanes[i]);
  for (int64_t i = n; i < width; ++i) lanes[i] = Op::kIdentity;
  return join_lanes<Op>(lanes, width);
}

template <class Op, class T>
T fold_leaf(const T* data, int64_t n, T context) {
  using L = Lanes<T>;
  constexpr int kLanes = kFoldLanes<T>;
  constexpr int kVectors = kLanes / L::kCount;
  int64_t i = 0;
  if (n < 8) {
    T result = Op::kIdentity;
    for (; i < n; ++i) result = Op::combine(result, Op::map(data[i], context));
    return result;
  }
  if (n < kLanes) return fold_short<Op>(data, n, context);
  typename L::Vector totals[kVectors];
  for (int v = 0; v < kVectors; ++v) totals[v] = L::splat(Op::kIdentity);
  // Short sums first, then the sum of those: pairwise would leave the registers too often.
  while (i + kLanes <= n) {
    constexpr int64_t kStep = 16 * kLanes;
    const int64_t end = n - i < kStep ? i + (n - i) / kLanes * kLanes : i + kStep;
    typename L::Vector sums[kVectors];
    for (int v = 0; v < kVectors; ++v) sums[v] = L::splat(Op::kIdentity);
    for (; i < end; i += kLanes) {
      const T* block = data + i;
      T mapped[kLanes];
      if constexpr (Op::kMaps) {
        for (int lane = 0; lane < kLanes; ++lane) mapped[lane] = Op::map(data[i + lane], context);
        block = mapped;
      }
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        sums[v] = Op::combine(sums[v], L::load(block + v * L::kCount));
      }
    }
    for (int v = 0; v < kVectors; ++v) totals[v] = Op::combine(totals[v], sums[v]);
  }
  T lanes[kLanes];
  for (int v = 0; v < kVectors; ++v) L::store(lanes + v * L::kCount, totals[v]);
  for (int lane = 0; i < n; ++i, ++lane) {
    lanes[lane] = Op::combine(lanes[lane], Op::map(data[i], context));
  }
  return join_lanes<Op>(lanes, kLanes);
}

template <class Op, class T>
T fold_row(const T* data, int64_t stride, int64_t n, T context) {
  const int64_t leaf = stride == 1 ? kFoldLeaf : kFoldBlock<T>;
  if (n > leaf) {
    const int64_t split = (n / 2 + leaf - 1) / leaf * leaf;
    return Op::combine(fold_row<Op>(data, stride, split, context),
                       fold_row<Op>(data + split * stride, stride, n - split, context));
  }
  poll_interrupt(n);  // an expanded tensor can have more elements than memory
  if (stride == 1) return fold_leaf<Op>(data, n, context);
  T row[kFoldBlock<T>];
  for (int64_t i = 0; i < n; ++i) row[i] = data[i * stride];
  return fold_leaf<Op, T>(row, n, context);
}

// Puts together the leaves of a row of n values, in the order of fold_row().
template <class Op, class T>
T join_leaves(const T* leaves, int64_t n) {
  if (n <= kFoldLeaf) return *leaves;
  const int64_t split = (n / 2 + kFoldLeaf - 1) / kFoldLeaf * kFoldLeaf;
  return Op::combine(join_leaves<Op>(leaves, split),
                     join_leaves<Op>(leaves + split / kFoldLeaf, n - split));
}

// The same as fold_row() of a contiguous row, with the leaves shared between threads.
template <class Op, class T>
T fold_long_row(const T* data, int64_t n, T context) {
  const int64_t count = (n - 1) / kFoldLeaf + 1;
  T* leaves = static_cast<T*>(scratch(Scratch::kRow, static_cast<size_t>(count) * sizeof(T)));
  parallel_for(0, count, 1, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * kFoldLeaf;
      leaves[i] =
          fold_leaf<Op>(data + first, n - first < kFoldLeaf ? n - first : kFoldLeaf, context);
    }
  });
  return join_leaves<Op>(leaves, n);
}

// Positions [first, last) of dimension `axis`, and all of those after it.
template <class Op, class T>
T fold_block(const T* data, const Axes& axes, int64_t axis, int64_t first, int64_t last,
             T context) {
  const Axis& own = axes.list[axis];
  if (axis == axes.count - 1) {
    return fold_row<Op>(data + first * own.input_stride, own.input_stride, last - first, context);
  }
  if (last - first == 1) {
    return fold_block<Op>(data + first * own.input_stride, axes, axis + 1, 0,
                          axes.list[axis + 1].size, context);
  }
  const int64_t middle = first + (last - first) / 2;
  return Op::combine(fold_block<Op>(data, axes, axis, first, middle, context),
                     fold_block<Op>(data, axes, axis, middle, last, context));
}

// Where more than kFoldedRows rows are halved.
EAGRE_INLINE int64_t middle_row(int64_t first, int64_t last) {
  return first + ((last - first) / 2 + kFoldedRows - 1) / kFoldedRows * kFoldedRows;
}

// Rows [first, last) of a cell, element by element, into result; `partials` is room for partial
// results, one row of them for each halving.
template <class Op, class T>
void fold_rows(T* result, T* partials, const Cell<T>& cell, const T* context, int64_t first,
               int64_t last) {
  const int64_t n = last - first, width = cell.width;
  if (n > kFoldedRows) {
    const int64_t split = middle_row(first, last);
    fold_rows<Op>(result, partials, cell, context, first, split);
    fold_rows<Op>(partials, partials + width, cell, context, split, last);
    for (int64_t j = 0; j < width; ++j) result[j] = Op::combine(result[j], partials[j]);
    return;
  }
  poll_interrupt(n * width);
  for (int64_t j = 0; j < width; ++j) result[j] = Op::kIdentity;
  const auto row_at = [&](int64_t i) { return cell.data + cell.reduced.offset(i); };
  int64_t i = first;
  for (; i + 4 <= last; i += 4) {
    const T *a = row_at(i), *b = row_at(i + 1), *c = row_at(i + 2), *d = row_at(i + 3);
#pragma GCC ivdep
    for (int64_t j = 0; j < width; ++j) {
      const T extra = Op::kMaps ? context[j] : T{};
      result[j] = Op::combine(result[j],
                              Op::combine(Op::combine(Op::map(a[j], extra), Op::map(b[j], extra)),
                                          Op::combine(Op::map(c[j], extra), Op::map(d[j], extra))));
    }
  }
  for (; i < last; ++i) {
    const T* row = row_at(i);
#pragma GCC ivdep
    for (int64_t j = 0; j < width; ++j) {
      result[j] = Op::combine(result[j], Op::map(row[j], Op::kMaps ? context[j] : T{}));
    }
  }
}

// fold_rows() with stretches of rows shared between threads. They are those that its halving comes
// to, and are put together as it does.
template <class Op, class T>
class SharedRows {
 public:
  SharedRows(const Cell<T>& cell, const T* context) : cell_(cell), context_(context) {}

  void fold(T* result, int64_t rows) {
    constexpr int64_t kMostStretches = 1024;  // each takes memory
    while (stretch_ * cell_.width < kSharedElements || rows / stretch_ > kMostStretches) {
      stretch_ *= 2;
    }
    const size_t most = static_cast<size_t>(rows / (stretch_ / 2) + 1);
    ends_ = static_cast<int64_t*>(scratch(Scratch::kSums, most * sizeof(int64_t)));
    add_stretches(0, rows);
    const int64_t count = count_, width = cell_.width;
    int64_t depth = 1;
    for (int64_t n = stretch_; n > kFoldedRows; n = (n + 1) / 2) ++depth;
    parts_ =
        static_cast<T*>(scratch(Scratch::kBlock, static_cast<size_t>(count * width) * sizeof(T)));
    parallel_for(0, count, 1, [&](int64_t i, int64_t) {
      T* room =
          static_cast<T*>(scratch(Scratch::kRow, static_cast<size_t>(depth * width) * sizeof(T)));
      fold_rows<Op>(parts_ + i * width, room, cell_, context_, i == 0 ? 0 : ends_[i - 1], ends_[i]);
    });
    share(width, count, [&](int64_t begin, int64_t end) {
      int64_t next = 0;
      const T* whole = join(0, rows, next, begin, end);
      for (int64_t j = begin; j < end; ++j) result[j] = whole[j];
    });
  }

 private:
  void add_stretches(int64_t first, int64_t last) {
    if (last - first <= stretch_) {
      ends_[count_++] = last;
      return;
    }
    const int64_t split = middle_row(first, last);
    add_stretches(first, split);
    add_stretches(split, last);
  }
  // Columns [begin, end) of rows [first, last); `next` counts the stretches.
  T* join(int64_t first, int64_t last, int64_t& next, int64_t begin, int64_t end) {
    if (last - first <= stretch_) return parts_ + next++ * cell_.width;
    const int64_t split = middle_row(first, last);
    T* left = join(first, split, next, begin, end);
    const T* right = join(split, last, next, begin, end);
    for (int64_t j = begin; j < end; ++j) left[j] = Op::combine(left[j], right[j]);
    return left;
  }

  const Cell<T>& cell_;
  const T* context_;
  int64_t stretch_ = kFoldedRows, count_ = 0;
  int64_t* ends_ = nullptr;  // of the stretches
  T* parts_ = nullptr;       // their results
};

// Makes the results of a cell; `context` has one number for each.
template <class Op, class T>
void fold(T* result, const Cell<T>& cell, const T* context) {
  const Axes& axes = cell.reduced;
  if (cell.width == 1) {
    const T extra = Op::kMaps ? *context : T{};
    const bool is_row = axes.count == 1 && axes.list[0].input_stride == 1;
    if (is_row && axes.list[0].size > 2 * kFoldLeaf) {
      *result = fold_long_row<Op>(cell.data, axes.list[0].size, extra);
      return;
    }
    *result = axes.count == 0 ? Op::map(*cell.data, extra)
                              : fold_block<Op>(cell.data, axes, 0, 0, axes.list[0].size, extra);
    return;
  }
  const int64_t rows = axes.numel();
  if (rows * cell.width >= 2 * kSharedElements && rows > kFoldedRows && !in_parallel_region() &&
      get_num_threads() > 1) {
    return SharedRows<Op, T>(cell, context).fold(result, rows);
  }
  int64_t depth = 1;
  for (int64_t n = rows; n > kFoldedRows; n = (n + 1) / 2) ++depth;
  T* room =
      static_cast<T*>(scratch(Scratch::kRow, static_cast<size_t>(depth * cell.width) * sizeof(T)));
  fold_rows<Op>(result, room, cell, context, 0, rows);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
