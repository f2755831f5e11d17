// Sizes and strides: the arithmetic on them that every layer shares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <eagre/base/export.h>
#include <eagre/base/small_vector.h>
#include <eagre/base/span.h>

namespace eagre {

using Dims = Span<const int64_t>;
using DimVector = SmallVector<int64_t, 6>;
constexpr int64_t kMaxDims = 64;
// Stands in a list of sizes for that which the input has.
constexpr int64_t kSizeOfInput = INT64_MIN;

// A list of dimensions that may be left out (`int[]?` in the op records); one number is a list too.
class OptionalDims {
 public:
  constexpr OptionalDims() = default;
  constexpr OptionalDims(std::nullopt_t) {}                // NOLINT
  constexpr OptionalDims(const std::optional<Dims>& dims)  // NOLINT
      : given_(dims.has_value()), list_(dims.value_or(Dims())) {}
  constexpr OptionalDims(Dims dims) : given_(true), list_(dims) {}  // NOLINT: a list is a choice
  constexpr OptionalDims(std::initializer_list<int64_t> dims) : given_(true), list_(dims) {}
  template <std::integral T>
  constexpr OptionalDims(T dim) : given_(true), is_single_(true), single_(dim) {}  // NOLINT

  constexpr bool given() const { return given_; }
  constexpr Dims values() const { return is_single_ ? Dims(&single_, 1) : list_; }

 private:
  bool given_ = false;
  bool is_single_ = false;
  int64_t single_ = 0;
  Dims list_;
};

EAGRE_API std::string to_string(Dims dims);  // "[2, 3]"

// The number of elements. Negative sizes and products beyond 2^63 are errors in the name of `op`.
EAGRE_API int64_t checked_numel(const char* op, Dims sizes);

// The bytes of memory that elements of `item` bytes at these strides reach over. Strides that are
// negative, too many or too large are an error about the argument 'stride' of `op`.
EAGRE_API size_t checked_extent(const char* op, Dims sizes, Dims strides, size_t item);

// Row-major strides.
inline void contiguous_strides(Dims sizes, int64_t* strides) {
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i] == 0 ? 1 : sizes[i];
  }
}

EAGRE_API bool is_contiguous(Dims sizes, Dims strides);
// Every element has its own place and the places have no holes, in any order of dimensions.
EAGRE_API bool is_dense(Dims sizes, Dims strides);

// The shape both broadcast to; an error in the name of `op` if there is none.
EAGRE_API DimVector broadcast_shapes(const char* op, Dims a, Dims b);
EAGRE_API bool is_expandable_to(Dims from, Dims to);

[[noreturn]] EAGRE_API EAGRE_COLD void raise_dim_out_of_range(const char* op, const char* argument,
                                                              int64_t dim, int64_t extent);
// `dim` counted from the front; an error in the name of `op` when out of range. A 0-dim tensor
// accepts 0 and -1, as one with a single dimension would.
EAGRE_INLINE int64_t wrap_dim(const char* op, const char* argument, int64_t dim, int64_t rank) {
  const int64_t extent = rank < 1 ? 1 : rank;
  if (dim < -extent || dim >= extent) [[unlikely]]
    raise_dim_out_of_range(op, argument, dim, extent);
  return dim < 0 ? dim + extent : dim;
}

// Bit d for every dimension d of a list; one out of range or given twice is an error.
EAGRE_API uint64_t dim_mask(const char* op, const char* argument, Dims dims, int64_t rank);

}  // namespace eagre
