// What kernels that index with tensors share. All tensors are contiguous, indices are int64.
#pragma once

#include <algorithm>
#include <vector>

#include <eagre/base/export.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/bounded.h>

namespace eagre::kernels::cpu {

constexpr int64_t kIndexGrain = 32768;  // elements of one chunk

// Raises in the name of `op` unless all indices are in [0, size) or, where negative ones count from
// the end, in [-size, size). `dim` is -1 where elements are counted through all dimensions.
void check_indices(const char* op, const char* argument, const TensorView& index, int64_t size,
                   int64_t dim);
// The same for `count` of them from `first` on.
void check_stretch(const char* op, const char* argument, const TensorView& index, int64_t first,
                   int64_t count, int64_t size, int64_t dim);
void check_from_either_end(const char* op, const char* argument, const TensorView& index,
                           int64_t size, int64_t dim);

// The indices of elements to be written. Those of a tensor that somebody has are all checked before
// the first write; those of a new one when they are about to be used, as reading many twice takes
// long.
class CheckedIndices {
 public:
  CheckedIndices(const char* op, const TensorView& target, const TensorView& index, int64_t size,
                 int64_t dim)
      : op_(op), index_(index), size_(size), dim_(dim), waits_(target.is_new) {
    if (!waits_) check_now();
  }
  // All of them, if that has not happened.
  void check() const {
    if (waits_) check_now();
  }
  // So many from `first` on.
  void check(int64_t first, int64_t count) const {
    if (waits_) check_stretch(op_, "index", index_, first, count, size_, dim_);
  }

 private:
  void check_now() const { check_indices(op_, "index", index_, size_, dim_); }

  const char* op_;
  const TensorView& index_;
  int64_t size_, dim_;
  bool waits_;
};

inline int64_t wrapped(int64_t index, int64_t size) { return index + (index < 0 ? size : 0); }
// The row that an index names.
inline int64_t row_at(int64_t index, int64_t size) {
  return scalar::bounded(wrapped(index, size), size);
}

// f(way) with the shortest way from an index to an offset.
template <class F>
void with_way(int64_t stride, const F& f) {
  if (stride == 1) return f([](int64_t index) { return index; });
  f([=](int64_t index) { return index * stride; });
}

// A tensor seen along one dimension: [outer, size, inner]. One without dimensions has size 1.
struct Along {
  int64_t dim = 0, outer = 1, size = 1, inner = 1;

  EAGRE_API Along(Dims sizes, int64_t given);
};

// f(line, row) for every row that an index names along one dimension: `line` is the offset of the
// first element there, `row` counts the rows. Outer coordinates never meet, so they are shared
// between threads; rows of one go in the order of the index.
template <class F>
void for_chosen_rows(const Along& along, const TensorView& index, const F& f) {
  const int64_t count = index.numel;
  if (count == 0) return;
  const auto* chosen = index.as<const int64_t>();
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / (count * along.inner));
  parallel_for(0, along.outer, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin * count; row < end * count; ++row) {
      const int64_t place = row / count * along.size + row_at(chosen[row % count], along.size);
      f(place * along.inner, row);
    }
  });
}

// An index tensor in rows of its last dimension, for operators like gather.
struct IndexRows {
  DimVector sizes;
  int64_t dim, width;
  // So many elements have the same coordinates before `dim`: those of others never meet.
  int64_t block;

  IndexRows(const TensorView& index, int64_t given_dim);

  // f(first, count, row, column) for the rows, or parts of them, in [begin, end).
  template <class F>
  void walk(int64_t begin, int64_t end, const F& f) const {
    for (int64_t at = begin; at < end;) {
      const int64_t row = at / width, column = at % width;
      const int64_t count = std::min(width - column, end - at);
      f(at, count, row, column);
      at += count;
    }
  }
};

// A tensor whose elements lie at the coordinates of an index, but in dimension `skipped`.
struct Beside {
  DimVector strides;
  int64_t step;         // from one element of a row to the next; 0 if that is what the index says
  int64_t chosen_size;  // of the skipped dimension
  int64_t chosen_stride;

  Beside(const TensorView& tensor, const IndexRows& rows, bool skips);
  // The offset of a place in a row of the index.
  int64_t start(const IndexRows& rows, int64_t row, int64_t column) const;
};

// put(way, first, count, row, column) for the stretches of an index that says where elements of
// `to` go; stretches that could meet there stay on one thread.
template <class F>
void for_scattered_rows(const IndexRows& rows, const Beside& to, int64_t elements,
                        const CheckedIndices& indices, const F& put) {
  constexpr int64_t kStretch = 4096;  // indices that stay in the nearest cache
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / rows.block);
  const int64_t lines = elements / rows.width;
  const bool by_columns = elements / rows.block < get_num_threads() && rows.width < rows.block &&
                          rows.width >= 16 && elements >= 2 * kIndexGrain;
  with_way(to.chosen_stride, [&](auto way) {
    if (by_columns) {  // elements of different columns never meet
      indices.check();
      const int64_t columns = std::max<int64_t>(16, kIndexGrain / lines);
      return parallel_for(0, rows.width, columns, [&, way](int64_t begin, int64_t end) {
        for (int64_t row = 0; row < lines; ++row) {
          put(way, row * rows.width + begin, end - begin, row, begin);
        }
      });
    }
    parallel_for(0, elements / rows.block, grain, [&, way](int64_t begin, int64_t end) {
      rows.walk(begin * rows.block, end * rows.block,
                [&, way](int64_t first, int64_t count, int64_t row, int64_t column) {
                  for (int64_t at = 0; at < count; at += kStretch) {
                    const int64_t some = std::min(kStretch, count - at);
                    indices.check(first + at, some);
                    put(way, first + at, some, row, column + at);
                  }
                });
    });
  });
}

// Where advanced indexing takes elements from: the result is, in this order, `before` × places ×
// `after` runs of `run` elements each. Places are found when they are needed, a few at a time: a
// list of all would take more memory than many a result.
class IndexPlan {
 public:
  IndexPlan(const char* op, const TensorView& input, Span<const TensorView> indices);

  int64_t run() const { return run_; }
  int64_t rows() const {
    return static_cast<int64_t>(before_.size() * after_.size()) * place_count_;
  }
  int64_t row_grain() const {
    return std::max<int64_t>(1, kIndexGrain / std::max<int64_t>(1, run_));
  }
  // f(row, offset in the input) for rows in [begin, end).
  template <class F>
  void walk(int64_t begin, int64_t end, const F& f) const {
    const auto inner = static_cast<int64_t>(after_.size());
    int64_t found[kPlacesAtOnce];
    for (int64_t row = begin; row < end;) {
      // Places of one `before` that follow each other.
      const int64_t first = row / inner, outer = first / place_count_;
      const int64_t last =
          std::min({(end - 1) / inner + 1, (outer + 1) * place_count_, first + kPlacesAtOnce});
      find_places(found, first - outer * place_count_, last - first);
      const int64_t base = before_[outer], stop = std::min(end, last * inner);
      if (inner == 1) {
        for (; row < stop; ++row) f(row, base + after_[0] + found[row - first]);
      } else {
        for (; row < stop; ++row) f(row, base + after_[row % inner] + found[row / inner - first]);
      }
    }
  }

 private:
  static constexpr int64_t kPlacesAtOnce = 256;

  struct Index {
    const int64_t* data;
    int64_t size, stride;  // of the dimension of the input
    bool is_broadcast;
    DimVector strides;  // along the shape of the places
  };

  void find_places(int64_t* found, int64_t first, int64_t count) const;
  void add_broadcast(int64_t* found, int64_t first, int64_t count, const Index& index) const;

  std::vector<int64_t> before_, after_;
  std::vector<Index> indices_;
  DimVector shape_;  // of the places
  int64_t place_count_ = 1, run_ = 1;
};

}  // namespace eagre::kernels::cpu
