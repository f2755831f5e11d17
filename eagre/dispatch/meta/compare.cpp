// Checks of comparisons; shapes follow from broadcasting.
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

void ordered(const char* op, const TensorImpl& input, const TensorImpl& other) {
  if (!is_complex(input.key.dtype) && !is_complex(other.key.dtype)) [[likely]]
    return;
  const bool first = is_complex(input.key.dtype);
  raise(
      ErrorKind::kType,
      ArgumentProblem{op, first ? "input" : "other", "real numbers, as complex ones have no order",
                      concat("a tensor of ", first ? input.key.dtype : other.key.dtype)});
}

}  // namespace eagre::dispatch::meta
