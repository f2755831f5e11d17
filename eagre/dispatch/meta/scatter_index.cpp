// Checks of operators that write by index. Values of indices are checked by the kernels.
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/index_checks.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

void index_fill(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  check_vector(op, index);
  check_not_empty(op, input, at, index);
}

void index_add(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
               const TensorImpl& source) {
  index_fill(op, input, dim, index);
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  DimVector wanted = at_least_vector(input);
  wanted[at] = index.numel;
  if (at_least_vector(source) == Dims(wanted)) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "source",
                        concat("shape ", wanted, ", for ", index.numel,
                               " indices and 'input' of shape ", input.sizes()),
                        concat("shape ", source.sizes())});
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
        ArgumentProblem{op, "values", concat("a shape that broadcasts to ", shape),
                        concat("shape ", values.sizes())});
}

}  // namespace eagre::dispatch::meta
