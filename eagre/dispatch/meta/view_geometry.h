// Where views begin: the geometry of the tensor itself, and a dimension that must exist.
#pragma once

#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

inline ViewGeometry geometry_of(const TensorImpl& input) {
  return {input.sizes(), input.strides(), input.offset};
}

// A dimension that must be there: 0-dim tensors have none to choose from.
inline int64_t real_dim(const char* op, const TensorImpl& input, int64_t dim) {
  EAGRE_CHECK(input.key.rank > 0, kIndex, op,
              "() cannot be applied to a 0-dim tensor: Dimension specified as ", dim,
              " but tensor has no dimensions");
  return wrap_dim(op, "dim", dim, input.key.rank);
}

}  // namespace eagre::dispatch::meta
