// Checks of indices, and where they lead.
#include <eagre/kernels/cpu/index_walk.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/span.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa.h>

namespace eagre::kernels::cpu {
namespace {

struct Signs {
  int64_t bad = 0, negative = 0;  // below 0 if any index is so
};

using Words = uint64_t __attribute__((vector_size(32)));

// A loop without branches, of what vector units have.
EAGRE_INLINE Signs scan(const int64_t* index, int64_t count, int64_t size) {
  const auto limit = static_cast<uint64_t>(size);
  Words bad = {}, negative = {};
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    Words value;
    std::memcpy(&value, index + i, sizeof value);
    bad |= (value + limit) | (limit - 1 - value);
    negative |= value;
  }
  Signs signs{static_cast<int64_t>(bad[0] | bad[1] | bad[2] | bad[3]),
              static_cast<int64_t>(negative[0] | negative[1] | negative[2] | negative[3])};
  for (; i < count; ++i) {
    const auto value = static_cast<uint64_t>(index[i]);
    signs.bad |= static_cast<int64_t>((value + limit) | (limit - 1 - value));
    signs.negative |= index[i];
  }
  return signs;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) Signs scan_avx2(const int64_t* index, int64_t count, int64_t size) {
  return scan(index, count, size);
}
#endif

Signs signs_of(const int64_t* index, int64_t count, int64_t size) {
#if defined(__x86_64__)
  if (current_isa() != Isa::kBaseline) return scan_avx2(index, count, size);
#endif
  return scan(index, count, size);
}

[[noreturn]] EAGRE_COLD void refuse(const char* op, const char* argument, int64_t index,
                                    int64_t size, int64_t dim) {
  const std::string where =
      dim < 0 ? concat(size, " elements") : concat("dimension ", dim, " of size ", size);
  raise(ErrorKind::kIndex,
        ArgumentProblem{op, argument, concat("from ", -size, " to ", size - 1, ", for ", where),
                        concat("index ", index)});
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

// Adds index × stride to every place. Each index is read once: what is checked is what is used,
// also when another thread writes to them.
void add_checked(const char* op, std::vector<int64_t>& places, const TensorView& index,
                 int64_t size, int64_t dim, int64_t stride) {
  const auto* data = index.as<const int64_t>();
  const auto limit = static_cast<uint64_t>(size), step = static_cast<uint64_t>(stride);
  uint64_t bad = 0;
  for (int64_t i = 0; i < index.numel; ++i) {
    const int64_t value = data[i];
    const auto place = static_cast<uint64_t>(value) + (value < 0 ? limit : 0);
    bad |= place | (limit - 1 - place);
    places[i] = static_cast<int64_t>(static_cast<uint64_t>(places[i]) + place * step);
  }
  if (static_cast<int64_t>(bad) >= 0) [[likely]]
    return;
  check_indices(op, "indices", index, size, dim);
  raise(ErrorKind::kIndex, concat(op, "(): argument 'indices' was changed during the call"));
}

// The same, broadcasting the index to `shape`.
void add_index(const char* op, std::vector<int64_t>& places, Dims shape, const TensorView& index,
               int64_t size, int64_t dim, int64_t stride) {
  const auto* data = index.as<const int64_t>();
  const auto count = static_cast<int64_t>(places.size());
  if (index.numel == count) return add_checked(op, places, index, size, dim, stride);
  check_indices(op, "indices", index, size, dim);
  DimVector strides(shape.size());
  const size_t lead = shape.size() - index.sizes.size();
  for (size_t d = lead; d < shape.size(); ++d) {
    strides[d] = index.sizes[d - lead] == 1 ? 0 : index.strides[d - lead];
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, at = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      at += rest % shape[d] * strides[d];
      rest /= shape[d];
    }
    places[i] += row_at(data[at], size) * stride;
  }
}

}  // namespace

bool check_indices(const char* op, const char* argument, const TensorView& index, int64_t size,
                   int64_t dim) {
  const auto* data = index.as<const int64_t>();
  bool any_negative = false;
  for (int64_t begin = 0; begin < index.numel; begin += kIndexGrain) {
    const int64_t count = std::min(kIndexGrain, index.numel - begin);
    const Signs signs = signs_of(data + begin, count, size);
    any_negative |= signs.negative < 0;
    if (signs.bad >= 0) [[likely]]
      continue;
    for (int64_t i = begin; i < begin + count; ++i) {
      if (data[i] < -size || data[i] >= size) refuse(op, argument, data[i], size, dim);
    }
  }
  return any_negative;
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
  DimVector shape;
  size_t first = rank, last = 0, count = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!is_given(indices[d])) continue;
    shape =
        count == 0 ? DimVector(indices[d].sizes) : broadcast_shapes(op, shape, indices[d].sizes);
    if (count++ == 0) first = d;
    last = d;
  }
  const bool adjacent = count != 0 && last - first + 1 == count;
  places.assign(static_cast<size_t>(checked_numel(op, shape)), 0);
  DimVector before_sizes, before_strides, after_sizes, after_strides;
  for (size_t d = 0; d < rank; ++d) {
    if (d < indices.size() && is_given(indices[d])) {
      add_index(op, places, shape, indices[d], input.sizes[d], static_cast<int64_t>(d),
                input.strides[d]);
    } else if (adjacent && d < first) {
      before_sizes.push_back(input.sizes[d]);
      before_strides.push_back(input.strides[d]);
    } else if (count == 0 || d > last) {
      run *= input.sizes[d];
    } else {
      after_sizes.push_back(input.sizes[d]);
      after_strides.push_back(input.strides[d]);
    }
  }
  before = offsets(before_sizes, before_strides);
  after = offsets(after_sizes, after_strides);
}

}  // namespace eagre::kernels::cpu
