// Checks of operators that write by index. Values of indices are checked by the kernels.
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/index_checks.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

namespace {

void check_rows(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  check_vector(op, index);
  check_not_empty(op, input, at, index);
}

}  // namespace

void index_fill(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
                const Scalar& value) {
  check_long(ErrorKind::kIndex, op, index);
  check_rows(op, input, dim, index);
  check_holds(op, "value", input.key.dtype, value);
}

namespace {

void check_source(ErrorKind kind, const char* op, const TensorImpl& input, int64_t dim,
                  const TensorImpl& index, const TensorImpl& source) {
  check_rows(op, input, dim, index);
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  DimVector wanted = at_least_vector(input);
  const Dims given = at_least_vector(source);
  if (wanted.size() == given.size()) {
    wanted[at] = given[at];
    if (Dims(wanted) == given) {
      EAGRE_CHECK(given[at] == index.numel, kIndex, op, "(): Number of indices (", index.numel,
                  ") should be equal to source.size(dim): (", given[at], "), for dim: ", at);
      return;
    }
  }
  raise(wanted.size() == given.size() ? ErrorKind::kInvalidArgument : kind,
        concat(op,
               "(): source tensor shape must match self tensor shape, excluding the specified "
               "dimension. Got self.shape = ",
               input.sizes(), " source.shape = ", source.sizes(), " and dim = ", at));
}

}  // namespace

void index_add(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
               const TensorImpl& source) {
  check_source(ErrorKind::kInvalidArgument, op, input, dim, index, source);
}

void index_copy(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
                const TensorImpl& source) {
  check_long(ErrorKind::kType, op, index);
  check_source(ErrorKind::kIndex, op, input, dim, index, source);
}

void index_set(const char* op, const TensorImpl& input, TensorList indices,
               const TensorImpl& values) {
  const DimVector shape = index_tensors(op, input, indices);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i].defined()) {
      check_not_empty(op, input, static_cast<int64_t>(i), indices[i].get());
    }
  }
  if (values.numel == 1 || values.sizes() == Dims(shape)) return;
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): shape mismatch: value tensor of shape ", values.sizes(),
               " cannot be broadcast to indexing result of shape ", shape));
}

}  // namespace eagre::dispatch::meta
