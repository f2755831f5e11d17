// Shape arithmetic, with overflow checked where sizes come from the user.
#include <eagre/core/shape.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/export.h>

namespace eagre {

std::string to_string(Dims dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != 0) text.append(", ");
    text.append(std::to_string(dims[i]));
  }
  return text.append("]");
}

namespace {
[[noreturn]] EAGRE_COLD void raise_bad_sizes(const char* op, Dims sizes) {
  EAGRE_CHECK(sizes.size() <= kMaxDims, kInvalidArgument, op, "(): a tensor has at most ", kMaxDims,
              " dimensions, but got ", sizes.size());
  for (int64_t size : sizes) {
    if (size >= 0) continue;
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): ", op,
                 ": Dimension size must be non-negative. Trying to create tensor with "
                 "negative dimension ",
                 size, ": argument 'size' is ", sizes));
  }
  int64_t product = 1;
  for (int64_t size : sizes) {
    EAGRE_CHECK(!__builtin_mul_overflow(product, size == 0 ? 1 : size, &product), kInvalidArgument,
                op, "(): sizes ", sizes, " describe more elements than can be counted");
  }
  raise(ErrorKind::kOutOfMemory, concat(op, "(): sizes ", sizes, " describe ", product,
                                        " elements, for which no machine has memory"));
}
}  // namespace

int64_t checked_numel(const char* op, Dims sizes) {
  int64_t product = 1;  // of the sizes that are not 0: strides are such products too
  int64_t numel = 1;
  bool good = sizes.size() <= kMaxDims;
  for (int64_t size : sizes) {
    good &= size >= 0 && !__builtin_mul_overflow(product, size == 0 ? 1 : size, &product);
    numel = size == 0 ? 0 : numel;
  }
  if (!good || product > INT64_MAX / 16) [[unlikely]]
    raise_bad_sizes(op, sizes);  // 16: bytes
  return numel == 0 ? 0 : product;
}

size_t checked_extent(const char* op, Dims sizes, Dims strides, size_t item) {
  const auto refuse = [&](std::string expected) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "stride", std::move(expected), to_string(strides)});
  };
  if (sizes.size() != strides.size()) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): dimensionality of sizes (", sizes.size(),
                 ") must match dimensionality of strides (", strides.size(),
                 "): argument 'size' is ", sizes, " and 'stride' ", strides));
  }
  int64_t elements = 1;
  bool is_empty = false;
  bool good = true;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t reach = 0;
    good = good && strides[i] >= 0 && !__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) &&
           (sizes[i] == 0 || !__builtin_add_overflow(elements, reach, &elements));
    is_empty |= sizes[i] == 0;
  }
  int64_t bytes = 0;
  if (!good || __builtin_mul_overflow(elements, static_cast<int64_t>(item), &bytes)) {
    refuse("numbers that are not negative, and not too large");
  }
  return is_empty ? 0 : static_cast<size_t>(bytes);
}

bool is_contiguous(Dims sizes, Dims strides) {
  int64_t expected = 1;
  bool matches = true;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 0) return true;
    if (sizes[i] == 1) continue;
    matches &= strides[i] == expected;
    expected *= sizes[i];
  }
  return matches;
}

bool is_dense(Dims sizes, Dims strides) {
  size_t left = 0;
  for (int64_t size : sizes) {
    if (size == 0) return true;
    if (size != 1) ++left;
  }
  // From dimension to dimension, as they lie in memory; those that were found have smaller strides.
  for (int64_t expected = 1; left > 0; --left) {
    size_t i = 0;
    while (i < sizes.size() && (sizes[i] == 1 || strides[i] != expected)) ++i;
    if (i == sizes.size()) return false;
    expected *= sizes[i];
  }
  return true;
}

namespace {
[[noreturn]] EAGRE_COLD void raise_no_broadcast(const char* op, Dims a, Dims b, int64_t x,
                                                int64_t y, size_t dim) {
  const bool a_is_longer = a.size() >= b.size();
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): The size of tensor a (", a_is_longer ? x : y,
               ") must match the size of tensor b (", a_is_longer ? y : x,
               ") at non-singleton dimension ", dim, ": shapes ", a, " and ", b,
               " do not broadcast. Hint: sizes must be equal, or one of them 1, counted from the "
               "last dimension"));
}
}  // namespace

DimVector broadcast_shapes(const char* op, Dims a, Dims b) {
  const Dims longer = a.size() >= b.size() ? a : b;
  const Dims shorter = a.size() >= b.size() ? b : a;
  DimVector result(longer);
  const size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const int64_t x = longer[lead + i];
    const int64_t y = shorter[i];
    if (x != y && x != 1 && y != 1) [[unlikely]]
      raise_no_broadcast(op, a, b, x, y, lead + i);
    if (x == 1) result[lead + i] = y;
  }
  return result;
}

bool is_expandable_to(Dims from, Dims to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t size = from[from.size() - 1 - i];
    if (size != 1 && size != to[to.size() - 1 - i]) return false;
  }
  return true;
}

void raise_dim_out_of_range(const char* op, const char* argument, int64_t dim, int64_t extent) {
  raise(ErrorKind::kIndex,
        concat(op, "(): Dimension out of range (expected to be in range of [", -extent, ", ",
               extent - 1, "], but got ", dim, ") in argument '", argument, "'"));
}

uint64_t dim_mask(const char* op, const char* argument, Dims dims, int64_t rank) {
  uint64_t mask = 0;
  for (int64_t dim : dims) {
    const uint64_t bit = uint64_t{1} << wrap_dim(op, argument, dim, rank);
    if ((mask & bit) != 0) {
      raise(ErrorKind::kInvalidArgument,
            concat(op, "(): dim ", dim, " appears multiple times in the list of dims, ", dims,
                   ", given as argument '", argument, "'"));
    }
    mask |= bit;
  }
  return mask;
}

}  // namespace eagre
