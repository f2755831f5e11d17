// Shape arithmetic, with overflow checked where sizes come from the user.
#include <eagre/core/shape.h>

#include <algorithm>

#include <eagre/base/error.h>

namespace eagre {

std::string to_string(Dims dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != 0) text.append(", ");
    text.append(std::to_string(dims[i]));
  }
  return text.append("]");
}

int64_t checked_numel(std::string_view op, Dims sizes) {
  EAGRE_CHECK(sizes.size() <= kMaxDims, kInvalidArgument, op, "(): a tensor has at most ", kMaxDims,
              " dimensions, but got ", sizes.size());
  int64_t numel = 1;
  bool overflow = false;
  bool has_zero = false;
  for (int64_t size : sizes) {
    if (size < 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "size", "a list of sizes that are not negative", to_string(sizes)});
    }
    has_zero |= size == 0;
    overflow |= __builtin_mul_overflow(numel, size == 0 ? 1 : size, &numel);
  }
  // Strides are products of sizes too, so a zero elsewhere does not excuse an overflow. 16 is the
  // largest element.
  EAGRE_CHECK(!overflow && numel <= INT64_MAX / 16, kInvalidArgument, op, "(): sizes ", sizes,
              " describe more elements than can be counted");
  return has_zero ? 0 : numel;
}

void contiguous_strides(Dims sizes, int64_t* strides) {
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
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
  SmallVector<size_t, 6> order;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return true;
    if (sizes[i] != 1) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  int64_t expected = 1;
  for (size_t i : order) {
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

DimVector broadcast_shapes(std::string_view op, Dims a, Dims b) {
  const size_t rank = std::max(a.size(), b.size());
  DimVector result(rank);
  for (size_t i = 0; i < rank; ++i) {  // counted from the last dimension
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    EAGRE_CHECK(x == y || x == 1 || y == 1, kInvalidArgument, op, "(): shapes ", a, " and ", b,
                " do not broadcast: they differ (", x, " and ", y, ") at dimension ", rank - 1 - i,
                ". Hint: sizes must be equal, or one of them 1, counted from the last dimension");
    result[rank - 1 - i] = x == 1 ? y : x;
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

int64_t wrap_dim(std::string_view op, std::string_view argument, int64_t dim, int64_t rank) {
  const int64_t extent = std::max<int64_t>(rank, 1);
  if (dim < -extent || dim >= extent) [[unlikely]] {
    raise(ErrorKind::kIndex,
          ArgumentProblem{op, argument, concat("a dimension from ", -extent, " to ", extent - 1),
                          std::to_string(dim)});
  }
  return dim < 0 ? dim + extent : dim;
}

}  // namespace eagre
