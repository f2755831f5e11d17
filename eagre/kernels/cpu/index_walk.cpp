// Checks of indices, and where they lead.
#include <eagre/kernels/cpu/index_walk.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa.h>

namespace eagre::kernels::cpu {
namespace {

using Words = uint64_t __attribute__((vector_size(32)));

// Below 0 if an index is not in [low, size), where `low` is 0 or less. A loop without branches, of
// what vector units have.
EAGRE_INLINE int64_t scan(const int64_t* index, int64_t count, int64_t low, int64_t size) {
  const auto limit = static_cast<uint64_t>(size), below = static_cast<uint64_t>(-low);
  Words bad = {};
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    Words value;
    std::memcpy(&value, index + i, sizeof value);
    bad |= (value + below) | (limit - 1 - value);
  }
  uint64_t any = bad[0] | bad[1] | bad[2] | bad[3];
  for (; i < count; ++i) {
    const auto value = static_cast<uint64_t>(index[i]);
    any |= (value + below) | (limit - 1 - value);
  }
  return static_cast<int64_t>(any);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) int64_t scan_avx2(const int64_t* index, int64_t count, int64_t low,
                                                  int64_t size) {
  return scan(index, count, low, size);
}
#endif

bool is_any_bad(const int64_t* index, int64_t count, int64_t low, int64_t size) {
#if defined(__x86_64__)
  if (current_isa() != Isa::kBaseline) return scan_avx2(index, count, low, size) < 0;
#endif
  return scan(index, count, low, size) < 0;
}

// In the words of PyTorch, which people search for.
[[noreturn]] EAGRE_COLD void refuse(const char* op, const char* argument, int64_t index,
                                    int64_t low, int64_t size, int64_t dim) {
  const std::string problem =
      dim < 0 ? concat("out of range: tried to access index ", index, " on a tensor of ", size,
                       " elements")
      : size == 0
          ? concat("index is out of bounds for dimension with size 0: got ", index,
                   " for dimension ", dim)
          : concat("index ", index, " is out of bounds for dimension ", dim, " with size ", size);
  raise(ErrorKind::kIndex,
        concat(op, "(): ", problem, ". Hint: argument '", argument, "' ",
               size == 0 ? std::string("can name nothing there")
                         : concat("may hold numbers from ", low, " to ", size - 1)));
}

// Of the indices from `range.first` to `range.second`.
void refuse_first_bad(const char* op, const char* argument, const int64_t* data,
                      std::pair<int64_t, int64_t> range, int64_t low, int64_t size, int64_t dim) {
  for (int64_t i = range.first; i < range.second; ++i) {
    if (data[i] < low || data[i] >= size) refuse(op, argument, data[i], low, size, dim);
  }
}

void check_range(const char* op, const char* argument, const TensorView& index, int64_t low,
                 int64_t size, int64_t dim) {
  const auto* data = index.as<const int64_t>();
  std::atomic<int64_t> first_bad{index.numel};
  parallel_for(0, index.numel, kIndexGrain, [&](int64_t begin, int64_t end) {
    if (!is_any_bad(data + begin, end - begin, low, size)) [[likely]]
      return;
    int64_t known = first_bad.load();
    while (begin < known && !first_bad.compare_exchange_weak(known, begin)) {
    }
  });
  refuse_first_bad(op, argument, data, {first_bad.load(), index.numel}, low, size, dim);
}

// An index without elements has no data either, but its dtype tells it from one left out.
bool is_given(const TensorView& index) { return index.dtype == kInt64; }

// Offsets of all coordinates of some dimensions, the last fastest.
std::vector<int64_t> offsets(Dims sizes, Dims strides) {
  std::vector<int64_t> result{0};
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::vector<int64_t> longer;
    longer.reserve(result.size() * static_cast<size_t>(sizes[d]));
    for (int64_t start : result) {
      for (int64_t i = 0; i < sizes[d]; ++i) longer.push_back(start + i * strides[d]);
    }
    result = std::move(longer);
  }
  return result;
}

}  // namespace

void check_indices(const char* op, const char* argument, const TensorView& index, int64_t size,
                   int64_t dim) {
  check_range(op, argument, index, 0, size, dim);
}

void check_stretch(const char* op, const char* argument, const TensorView& index, int64_t first,
                   int64_t count, int64_t size, int64_t dim) {
  const auto* data = index.as<const int64_t>();
  if (!is_any_bad(data + first, count, 0, size)) [[likely]]
    return;
  refuse_first_bad(op, argument, data, {first, first + count}, 0, size, dim);
}

void check_from_either_end(const char* op, const char* argument, const TensorView& index,
                           int64_t size, int64_t dim) {
  check_range(op, argument, index, -size, size, dim);
}

Along::Along(Dims sizes, int64_t given) {
  const auto rank = static_cast<int64_t>(sizes.size());
  dim = given < 0 ? given + std::max<int64_t>(1, rank) : given;
  for (int64_t i = 0; i < rank; ++i) (i < dim ? outer : i == dim ? size : inner) *= sizes[i];
}

IndexRows::IndexRows(const TensorView& index, int64_t given_dim) : sizes(index.sizes) {
  if (sizes.empty()) sizes.push_back(1);
  const auto rank = static_cast<int64_t>(sizes.size());
  dim = given_dim < 0 ? given_dim + rank : given_dim;
  width = sizes.back();
  block = 1;
  for (int64_t i = dim; i < rank; ++i) block *= sizes[i];
}

Beside::Beside(const TensorView& tensor, const IndexRows& rows, bool skips)
    : strides(tensor.strides) {
  if (strides.empty()) strides.push_back(1);
  chosen_size = tensor.sizes.empty() ? 1 : tensor.sizes[rows.dim];
  chosen_stride = strides[rows.dim];
  if (skips) strides[rows.dim] = 0;
  step = strides.back();
}

int64_t Beside::start(const IndexRows& rows, int64_t row, int64_t column) const {
  int64_t offset = column * step;
  for (size_t d = strides.size() - 1; d-- > 0;) {
    offset += row % rows.sizes[d] * strides[d];
    row /= rows.sizes[d];
  }
  return offset;
}

IndexPlan::IndexPlan(const char* op, const TensorView& input, Span<const TensorView> indices) {
  const size_t rank = input.sizes.size();
  size_t first = rank, last = 0, count = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!is_given(indices[d])) continue;
    shape_ =
        count == 0 ? DimVector(indices[d].sizes) : broadcast_shapes(op, shape_, indices[d].sizes);
    if (count++ == 0) first = d;
    last = d;
  }
  const bool adjacent = count != 0 && last - first + 1 == count;
  place_count_ = checked_numel(op, shape_);
  DimVector before_sizes, before_strides, after_sizes, after_strides;
  for (size_t d = 0; d < rank; ++d) {
    if (d < indices.size() && is_given(indices[d])) {
      const TensorView& index = indices[d];
      check_from_either_end(op, "indices", index, input.sizes[d], static_cast<int64_t>(d));
      const bool is_broadcast = index.numel != place_count_;
      DimVector strides(is_broadcast ? shape_.size() : 0);
      for (size_t i = 0; is_broadcast && i < index.sizes.size(); ++i) {
        strides[i + shape_.size() - index.sizes.size()] =
            index.sizes[i] == 1 ? 0 : index.strides[i];
      }
      indices_.push_back({index.as<const int64_t>(), input.sizes[d], input.strides[d], is_broadcast,
                          std::move(strides)});
    } else if (adjacent && d < first) {
      before_sizes.push_back(input.sizes[d]);
      before_strides.push_back(input.strides[d]);
    } else if (count == 0 || d > last) {
      run_ *= input.sizes[d];
    } else {
      after_sizes.push_back(input.sizes[d]);
      after_strides.push_back(input.strides[d]);
    }
  }
  before_ = offsets(before_sizes, before_strides);
  after_ = offsets(after_sizes, after_strides);
}

void IndexPlan::find_places(int64_t* found, int64_t first, int64_t count) const {
  std::fill_n(found, count, 0);
  for (const Index& index : indices_) {
    if (index.is_broadcast) {
      add_broadcast(found, first, count, index);
      continue;
    }
    const int64_t* data = index.data + first;
    for (int64_t i = 0; i < count; ++i) found[i] += row_at(data[i], index.size) * index.stride;
  }
}

void IndexPlan::add_broadcast(int64_t* found, int64_t first, int64_t count,
                              const Index& index) const {
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = first + i, at = 0;
    for (size_t d = shape_.size(); d-- > 0;) {
      at += rest % shape_[d] * index.strides[d];
      rest /= shape_[d];
    }
    found[i] += row_at(index.data[at], index.size) * index.stride;
  }
}

}  // namespace eagre::kernels::cpu
