// Shapes of operators that read by index. Values of indices are checked by the kernels.
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/index_checks.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector index_select(const char* op, const TensorImpl& input, int64_t dim,
                       const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  check_vector(op, index);
  DimVector result = input.sizes();
  if (result.empty()) {
    EAGRE_CHECK(index.numel == 1, kInvalidArgument, op,
                "(): Index to scalar can have only 1 value, got ", index.numel, " value(s)");
    return result;
  }
  result[at] = index.numel;
  checked_numel(op, result);
  return result;
}

DimVector gather(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  if (index.numel != 0) {  // what names nothing may be of any dtype
    check_integers(op, "index", index);
    check_fits(op, index, {input, "input"}, at);
  }
  return index.sizes();
}

DimVector take(const char* op, const TensorImpl&, const TensorImpl& index) {
  check_long(ErrorKind::kType, op, index);
  return index.sizes();
}

namespace {

// As in PyTorch, also this is an index error.
void check_index_dtype(const char* op, const TensorImpl& index) {
  if (index.key.dtype == kInt64 || index.key.dtype == kInt32) return;
  raise(ErrorKind::kIndex,
        concat(op,
               "(): tensors used as indices must be long, int, byte or bool tensors, but got "
               "one of ",
               index.key.dtype));
}

// As users of PyTorch expect, indices that do not fit together are an index error.
DimVector shape_of_indices(const char* op, Dims shape, Dims next) {
  try {
    return broadcast_shapes(op, shape, next);
  } catch (const Error&) {
    raise(ErrorKind::kIndex,
          concat(op,
                 "(): shape mismatch: indexing tensors could not be broadcast together with "
                 "shapes ",
                 shape, ", ", next));
  }
}

}  // namespace

DimVector index_tensors(const char* op, const TensorImpl& input, TensorList indices) {
  EAGRE_CHECK(indices.size() <= input.key.rank, kIndex, op,
              "(): too many indices for tensor of dimension ", int{input.key.rank}, " (got ",
              indices.size(), "), of shape ", input.sizes());
  DimVector shape;
  size_t first = 0;
  size_t last = 0;
  size_t count = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].defined()) continue;
    check_index_dtype(op, indices[i].get());
    shape = count == 0 ? DimVector(indices[i].sizes())
                       : shape_of_indices(op, shape, indices[i].sizes());
    if (count++ == 0) first = i;
    last = i;
  }
  const bool adjacent = count != 0 && last - first + 1 == count;
  DimVector result;
  const auto put_shape = [&] {
    for (int64_t size : shape) result.push_back(size);
  };
  if (!adjacent) put_shape();
  for (size_t i = 0; i < input.key.rank; ++i) {
    if (adjacent && i == first) put_shape();
    if (i >= indices.size() || !indices[i].defined()) result.push_back(input.sizes()[i]);
  }
  checked_numel(op, result);
  return result;
}

}  // namespace eagre::dispatch::meta
