// Checks of rounding and signs; shapes follow from broadcasting.
#include <eagre/base/error.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

void one_dtype(const char* op, const TensorImpl& input, const TensorImpl& values) {
  if (input.key.dtype == values.key.dtype) [[likely]]
    return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "values", concat("a tensor of ", input.key.dtype, ", as 'input' is"),
                        concat(values.key.dtype), "convert one of them with .to(dtype)"});
}

}  // namespace eagre::dispatch::meta
