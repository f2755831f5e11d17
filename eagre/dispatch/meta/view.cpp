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
          concat(op, "(): argument 'size': the number of sizes provided (", size.size(),
                 ") must be greater or equal to the number of dimensions in the tensor (",
                 old.size(), "), which has shape ", old));
  }
  ViewGeometry view{DimVector(size.size()), DimVector(size.size()), input.offset};
  const size_t lead = size.size() - old.size();
  // A new dimension of size 1 has the stride that unsqueeze() would give it.
  int64_t beyond = 0;
  for (size_t i = size.size(); i-- > 0;) {
    const bool is_new = i < lead;
    const int64_t from = is_new ? 1 : old[i - lead];
    const int64_t to = size[i] == -1 && !is_new ? from : size[i];
    if (to < 0) {
      raise(ErrorKind::kInvalidArgument,
            concat(op, "(): argument 'size': The expanded size of the tensor (", to,
                   ") isn't allowed in ",
                   is_new ? "a leading, non-existing dimension " : "dimension ", i,
                   ". Hint: -1 keeps the size of a dimension that is there"));
    }
    if (from != 1 && from != to) {
      raise(ErrorKind::kInvalidArgument,
            concat(op, "(): argument 'size': The expanded size of the tensor (", to,
                   ") must match the existing size (", from, ") at non-singleton dimension ", i,
                   ". Target sizes: ", size, ". Tensor sizes: ", old,
                   ". Hint: only dimensions of size 1 are repeated"));
    }
    view.sizes[i] = to;
    view.strides[i] = from != to ? 0 : is_new ? beyond : input.strides()[i - lead];
    if (__builtin_mul_overflow(to, view.strides[i], &beyond)) beyond = 0;
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
          concat(op, "(): argument 'dims', ", dims,
                 ": number of dimensions in the tensor input does not match the length of the "
                 "desired ordering of dimensions, as the tensor has shape ",
                 input.sizes()));
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
