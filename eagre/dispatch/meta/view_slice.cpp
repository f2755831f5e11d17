// Geometry of views of a part, or by strides.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/meta/view_geometry.h>

namespace eagre::dispatch::meta {

ViewGeometry select(const char* op, const TensorImpl& input, int64_t dim, int64_t index) {
  const int64_t at = real_dim(op, input, dim);
  const int64_t size = input.sizes()[at];
  if (index < -size || index >= size) {
    raise(ErrorKind::kIndex, concat(op, "(): index ", index, " out of range for tensor of size ",
                                    input.sizes(), " at dimension ", at));
  }
  ViewGeometry view = geometry_of(input);
  view.offset += (index < 0 ? index + size : index) * view.strides[at];
  view.sizes.erase(at);
  view.strides.erase(at);
  return view;
}

ViewGeometry narrow(const char* op, const TensorImpl& input, int64_t dim, int64_t start,
                    int64_t length) {
  const int64_t at = real_dim(op, input, dim);
  const int64_t size = input.sizes()[at];
  if (start < -size || start > size) {
    raise(ErrorKind::kIndex,
          concat(op, "(): argument 'start': start out of range (expected to be in range of [",
                 -size, ", ", size, "], but got ", start, ")"));
  }
  const int64_t first = start < 0 ? start + size : start;
  EAGRE_CHECK(length >= 0, kInvalidArgument, op, "(): length must be non-negative, but got ",
              length);
  EAGRE_CHECK(length <= size - first, kInvalidArgument, op, "(): start (", first, ") + length (",
              length, ") exceeds dimension size (", size, ") of dimension ", at);
  ViewGeometry view = geometry_of(input);
  view.sizes[at] = length;
  if (length != 0) view.offset += first * view.strides[at];
  return view;
}

ViewGeometry slice(const char* op, const TensorImpl& input, int64_t dim,
                   std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  const int64_t at = real_dim(op, input, dim);
  if (step <= 0) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): argument 'step': step must be greater than zero, but got ", step,
                 ". Hint: flip() turns a dimension round"));
  }
  // What is out of range means the end on that side.
  const int64_t size = input.sizes()[at];
  const auto bound = [size](int64_t value) {
    if (value < 0) value += size;
    return value < 0 ? 0 : value > size ? size : value;
  };
  const int64_t first = bound(start.value_or(0));
  const int64_t last = bound(end.value_or(size));
  const int64_t count = last > first ? (last - first - 1) / step + 1 : 0;
  ViewGeometry view = geometry_of(input);
  if (count != 0) view.offset += first * view.strides[at];
  view.sizes[at] = count;
  int64_t stride = 0;  // of one element it does not matter, and the product may be too large
  view.strides[at] =
      __builtin_mul_overflow(view.strides[at], step, &stride) ? view.strides[at] : stride;
  return view;
}

ViewGeometry window(const char*, const TensorImpl& input, Dims start, Dims step, Dims size) {
  ViewGeometry view = geometry_of(input);
  for (size_t i = 0; i < size.size(); ++i) {
    if (size[i] != 0) view.offset += start[i] * view.strides[i];
    view.sizes[i] = size[i];
    view.strides[i] *= step[i];
  }
  return view;
}

DimVector place(const char*, const TensorImpl&, Dims size, Dims, Dims) { return size; }

ViewGeometry diagonal(const char* op, const TensorImpl& input, int64_t offset, int64_t dim1,
                      int64_t dim2) {
  const int64_t a = wrap_dim(op, "dim1", dim1, input.key.rank);
  const int64_t b = wrap_dim(op, "dim2", dim2, input.key.rank);
  if (a == b) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): diagonal dimensions cannot be identical ", dim1, ", ", dim2));
  }
  ViewGeometry view = geometry_of(input);
  const int64_t rows = view.sizes[a];
  const int64_t columns = view.sizes[b];
  // How many elements are left of each side; far offsets leave none.
  const int64_t right = offset >= columns ? 0 : columns - (offset > 0 ? offset : 0);
  const int64_t below = offset <= -rows ? 0 : rows - (offset < 0 ? -offset : 0);
  const int64_t count = std::max<int64_t>(0, std::min(right, below));
  if (count != 0) view.offset += offset >= 0 ? offset * view.strides[b] : -offset * view.strides[a];
  const int64_t stride = view.strides[a] + view.strides[b];
  view.sizes.erase(std::max(a, b));
  view.strides.erase(std::max(a, b));
  view.sizes.erase(std::min(a, b));
  view.strides.erase(std::min(a, b));
  view.sizes.push_back(count);
  view.strides.push_back(stride);
  return view;
}

ViewGeometry unfold(const char* op, const TensorImpl& input, int64_t dimension, int64_t size,
                    int64_t step) {
  const int64_t at = wrap_dim(op, "dimension", dimension, input.key.rank);
  const int64_t extent = input.key.rank == 0 ? 1 : input.sizes()[at];
  EAGRE_CHECK(size >= 0, kInvalidArgument, op, "(): size is ", size, " but must be >= 0");
  EAGRE_CHECK(size <= extent, kInvalidArgument, op, "(): maximum size for tensor at dimension ", at,
              " is ", extent, " but size is ", size);
  EAGRE_CHECK(step > 0, kInvalidArgument, op, "(): step is ", step, " but must be > 0");
  ViewGeometry view = geometry_of(input);
  if (input.key.rank == 0) {
    view.sizes.push_back(size);
    view.strides.push_back(1);
    return view;
  }
  const int64_t stride = view.strides[at];
  int64_t wide = 0;
  view.sizes[at] = (extent - size) / step + 1;
  view.strides[at] = __builtin_mul_overflow(stride, step, &wide) ? stride : wide;
  view.sizes.push_back(size);
  view.strides.push_back(stride);
  return view;
}

ViewGeometry as_strided(const char* op, const TensorImpl& input, Dims size, Dims stride,
                        std::optional<int64_t> storage_offset) {
  const int64_t offset = storage_offset.value_or(input.offset);
  if (size.size() != stride.size()) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): mismatch in length of strides and shape: got ", stride, " and ", size));
  }
  const int64_t numel = checked_numel(op, size);
  int64_t last = offset;
  EAGRE_CHECK(offset >= 0, kInvalidArgument, op, "(): invalid storage offset ", offset);
  bool good = true;
  for (size_t i = 0; i < size.size(); ++i) {
    int64_t step = 0;
    if (stride[i] < 0) {
      raise(ErrorKind::kInvalidArgument,
            concat(op, "(): Negative strides are not supported, got strides: ", stride));
    }
    if (size[i] == 0) continue;
    good = good && !__builtin_mul_overflow(size[i] - 1, stride[i], &step) &&
           !__builtin_add_overflow(last, step, &last);
  }
  const auto item = static_cast<int64_t>(element_size(input.key.dtype));
  int64_t bytes = 0;
  good = good && last < INT64_MAX && !__builtin_mul_overflow(last + 1, item, &bytes);
  EAGRE_CHECK(good, kInvalidArgument, op,
              "(): Storage size calculation overflowed with sizes=", size, " and strides=", stride,
              " from offset ", offset);
  EAGRE_CHECK(numel == 0 || bytes <= static_cast<int64_t>(input.storage->bytes), kInvalidArgument,
              op, "(): sizes ", size, ", strides ", stride, ", storage offset ", offset,
              ", and itemsize ", item, " requiring a storage size of ", bytes,
              " are out of bounds for storage of size ", input.storage->bytes);
  return {size, stride, offset};
}

}  // namespace eagre::dispatch::meta
