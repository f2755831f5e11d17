// Checks of rounding and signs; shapes follow from broadcasting.
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

void one_dtype(const char* op, const TensorImpl& input, const TensorImpl& values) {
  const bool complex = is_complex(input.key.dtype) || is_complex(values.key.dtype);
  if (input.key.dtype == values.key.dtype && !complex) [[likely]]
    return;
  EAGRE_CHECK(!complex, kUnimplemented, op, "(): ", op,
              " is not yet implemented for complex tensors. They have no order");
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): ", op,
               " is not yet implemented for tensors with different dtypes. 'input' is ",
               input.key.dtype, " and 'values' ", values.key.dtype,
               ". Hint: convert one of them with .to(dtype)"));
}

}  // namespace eagre::dispatch::meta
