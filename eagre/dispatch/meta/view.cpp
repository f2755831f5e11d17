// Geometry of views with other dimensions.
#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/meta/view_geometry.h>

namespace eagre::dispatch::meta {

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

}  // namespace eagre::dispatch::meta
