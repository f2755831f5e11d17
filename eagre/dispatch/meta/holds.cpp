// Numbers that are to become elements: those that the dtype cannot hold are refused, as the result
// of a conversion out of range is nobody's intention.
#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

void check_holds(const char* op, const char* argument, DType dtype, const Scalar& number) {
  if (number.fits(dtype)) return;
  raise(
      ErrorKind::kInvalidArgument,
      ArgumentProblem{op, argument, concat("a number that ", dtype, " can hold"), text_of(number)});
}

void holds(const char* op, const TensorImpl& input, const Scalar& value) {
  check_holds(op, "value", input.key.dtype, value);
}

}  // namespace eagre::dispatch::meta
