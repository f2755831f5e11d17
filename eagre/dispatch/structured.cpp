// Dtype rules of structured operators.
#include <eagre/dispatch/structured.h>

namespace eagre::dispatch {

DType same_dtype(const char* op, const TensorImpl& first, const char* first_name,
                 const TensorImpl& second, const char* second_name) {
  if (first.key.dtype != second.key.dtype) [[unlikely]] {
    raise(ErrorKind::kType,
          ArgumentProblem{op, second_name,
                          concat("of the same dtype as '", first_name, "' (", first.key.dtype, ")"),
                          concat(second.key.dtype), "convert one of them with .to(dtype)"});
  }
  return first.key.dtype;
}

}  // namespace eagre::dispatch
