// Geometry of views.
#include <algorithm>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {
ViewGeometry geometry_of(const TensorImpl& input) {
  return {input.sizes(), input.strides(), input.offset};
}
}  // namespace

ViewGeometry transpose(const char* op, const TensorImpl& input, int64_t dim0, int64_t dim1) {
  ViewGeometry view = geometry_of(input);
  const int64_t a = wrap_dim(op, "dim0", dim0, input.key.rank);
  const int64_t b = wrap_dim(op, "dim1", dim1, input.key.rank);
  if (a != b) {
    std::swap(view.sizes[a], view.sizes[b]);
    std::swap(view.strides[a], view.strides[b]);
  }
  return view;
}

ViewGeometry expand(const char* op, const TensorImpl& input, Dims size) {
  const Dims old = input.sizes();
  if (size.size() < old.size()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "size",
                          concat("at least ", old.size(), " sizes, as the tensor has shape ", old),
                          to_string(size)});
  }
  ViewGeometry view{DimVector(size.size()), DimVector(size.size()), input.offset};
  const size_t lead = size.size() - old.size();
  for (size_t i = 0; i < size.size(); ++i) {
    const bool is_new = i < lead;
    const int64_t from = is_new ? 1 : old[i - lead];
    const int64_t to = size[i] == -1 && !is_new ? from : size[i];
    if (to < 0 || (from != 1 && from != to)) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "size", concat("a shape that ", old, " can be repeated to"),
                            to_string(size),
                            concat("dimension ", i,
                                   is_new ? " is new and needs a size that is not negative"
                                          : " can only keep its size, or grow from 1")});
    }
    view.sizes[i] = to;
    view.strides[i] = is_new || from != to ? 0 : input.strides()[i - lead];
  }
  checked_numel(op, view.sizes);
  return view;
}

ViewGeometry unsqueeze(const char* op, const TensorImpl& input, int64_t dim) {
  ViewGeometry view = geometry_of(input);
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank + 1);
  const bool is_last = at == input.key.rank;
  const int64_t stride = is_last ? 1 : view.sizes[at] * view.strides[at];
  view.sizes.insert(at, 1);
  view.strides.insert(at, stride);
  checked_numel(op, view.sizes);
  return view;
}

ViewGeometry squeeze(const char* op, const TensorImpl& input, int64_t dim) {
  ViewGeometry view = geometry_of(input);
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  if (input.key.rank > 0 && view.sizes[at] == 1) {
    view.sizes.erase(at);
    view.strides.erase(at);
  }
  return view;
}

ViewGeometry squeeze(const char*, const TensorImpl& input) {
  ViewGeometry view{{}, {}, input.offset};
  for (size_t i = 0; i < input.key.rank; ++i) {
    if (input.sizes()[i] == 1) continue;
    view.sizes.push_back(input.sizes()[i]);
    view.strides.push_back(input.strides()[i]);
  }
  return view;
}

ViewGeometry squeeze(const char* op, const TensorImpl& input, Dims dim) {
  const uint64_t wanted = dim_mask(op, "dim", dim, input.key.rank);
  ViewGeometry view{{}, {}, input.offset};
  for (size_t i = 0; i < input.key.rank; ++i) {
    if ((wanted >> i & 1) != 0 && input.sizes()[i] == 1) continue;
    view.sizes.push_back(input.sizes()[i]);
    view.strides.push_back(input.strides()[i]);
  }
  return view;
}

ViewGeometry permute(const char* op, const TensorImpl& input, Dims dims) {
  const size_t rank = input.key.rank;
  if (dims.size() != rank) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "dims",
                          concat("all ", rank, " dimensions of a tensor of shape ", input.sizes()),
                          to_string(dims)});
  }
  dim_mask(op, "dims", dims, input.key.rank);
  ViewGeometry view{DimVector(rank), DimVector(rank), input.offset};
  for (size_t i = 0; i < rank; ++i) {
    const int64_t from = dims[i] < 0 ? dims[i] + static_cast<int64_t>(rank) : dims[i];
    view.sizes[i] = input.sizes()[from];
    view.strides[i] = input.strides()[from];
  }
  return view;
}

namespace {

// A dimension that must be there: 0-dim tensors have none to choose from.
int64_t real_dim(const char* op, const TensorImpl& input, int64_t dim) {
  EAGRE_CHECK(input.key.rank > 0, kIndex, op, "(): a 0-dim tensor has no dimension ", dim,
              " to choose from");
  return wrap_dim(op, "dim", dim, input.key.rank);
}

}  // namespace

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

std::vector<ViewGeometry> split(const char* op, const TensorImpl& input, Dims split_sizes,
                                int64_t dim) {
  const int64_t at = real_dim(op, input, dim);
  int64_t total = 0;
  bool good = true;
  for (int64_t size : split_sizes) {
    good = good && size >= 0 && !__builtin_add_overflow(total, size, &total);
  }
  if (!good || total != input.sizes()[at]) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "split_sizes",
                          concat("sizes that are not negative and add up to ", input.sizes()[at],
                                 ", the size of dimension ", at),
                          to_string(split_sizes)});
  }
  std::vector<ViewGeometry> views;
  int64_t start = 0;
  for (int64_t size : split_sizes) {
    views.push_back(narrow(op, input, at, start, size));
    start += size;
  }
  return views;
}

void check_view_count(const char* op, int64_t count) {
  constexpr int64_t kMost = int64_t{1} << 24;
  EAGRE_CHECK(count <= kMost, kOutOfMemory, op, "(): the result would be a list of ", count,
              " tensors; at most ", kMost, " are made at once. Hint: work on parts of the tensor");
}

std::vector<ViewGeometry> unbind(const char* op, const TensorImpl& input, int64_t dim) {
  const int64_t at = real_dim(op, input, dim);
  check_view_count(op, input.sizes()[at]);
  std::vector<ViewGeometry> views;
  for (int64_t i = 0; i < input.sizes()[at]; ++i) views.push_back(select(op, input, at, i));
  return views;
}

}  // namespace eagre::dispatch::meta
