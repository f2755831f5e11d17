// Geometry of views of a part, or by strides.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

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
    raise(ErrorKind::kIndex,
          ArgumentProblem{op, "index",
                          concat("from ", -size, " to ", size - 1, " for dimension ", at,
                                 " of a tensor of shape ", input.sizes()),
                          std::to_string(index)});
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
    raise(ErrorKind::kIndex, ArgumentProblem{op, "start", concat("from ", -size, " to ", size),
                                             std::to_string(start)});
  }
  const int64_t first = start < 0 ? start + size : start;
  if (length < 0 || length > size - first) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "length",
                          concat("from 0 to ", size - first, ", as dimension ", at, " has size ",
                                 size, " and the start is ", first),
                          std::to_string(length)});
  }
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
          ArgumentProblem{op, "step", "greater than 0", std::to_string(step),
                          "flip() turns a dimension round"});
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
  EAGRE_CHECK(input.key.rank >= 2, kInvalidArgument, op,
              "(): argument 'input' must have at least 2 dimensions, but got shape ",
              input.sizes());
  const int64_t a = wrap_dim(op, "dim1", dim1, input.key.rank);
  const int64_t b = wrap_dim(op, "dim2", dim2, input.key.rank);
  if (a == b) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "dim2", concat("another dimension than 'dim1', which is ", a),
                          std::to_string(dim2)});
  }
  ViewGeometry view = geometry_of(input);
  const int64_t rows = view.sizes[a];
  const int64_t columns = view.sizes[b];
  // How many elements are left of each side; far offsets leave none.
  const int64_t right = offset >= columns ? 0 : columns - (offset > 0 ? offset : 0);
  const int64_t below = -offset >= rows ? 0 : rows - (offset < 0 ? -offset : 0);
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
  if (size < 0 || size > extent) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "size", concat("from 0 to ", extent, ", the size of dimension ", at),
                          std::to_string(size)});
  }
  if (step <= 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "step", "greater than 0", std::to_string(step)});
  }
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
          ArgumentProblem{op, "stride", concat("as many numbers as 'size' has, ", size.size()),
                          to_string(stride)});
  }
  const int64_t numel = checked_numel(op, size);
  int64_t last = offset;
  bool good = offset >= 0;
  for (size_t i = 0; i < size.size(); ++i) {
    int64_t step = 0;
    if (stride[i] < 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "stride", "strides that are not negative", to_string(stride)});
    }
    if (size[i] == 0) continue;
    good = good && !__builtin_mul_overflow(size[i] - 1, stride[i], &step) &&
           !__builtin_add_overflow(last, step, &last);
  }
  const auto item = static_cast<int64_t>(element_size(input.key.dtype));
  const auto room = static_cast<int64_t>(input.storage->bytes) / item;
  EAGRE_CHECK(good && (numel == 0 || last < room), kInvalidArgument, op, "(): sizes ", size,
              " with strides ", stride, " from offset ", offset, " reach beyond the ", room,
              " elements of the storage");
  return {size, stride, offset};
}

}  // namespace eagre::dispatch::meta
