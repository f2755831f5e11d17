// Shapes that the user gives, and numbers that are to become elements: those that the dtype cannot
// hold are refused, as the result of a conversion out of range is nobody's intention.
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector sizes(const char* op, Dims size) {
  checked_numel(op, size);
  return size;
}

DimVector same_sizes(const char*, const TensorImpl& input) { return input.sizes(); }

DimVector counted(const char* op, const char* argument, int64_t count) {
  if (count < 0) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): ", argument, " must be greater or equal to 0: argument '", argument,
                 "' must be non-negative, but got ", count));
  }
  return {count};
}

void check_holds(const char* op, const char* argument, DType dtype, const Scalar& number) {
  if (number.fits(dtype)) return;
  const bool loses_part =
      number.category() == DTypeCategory::kComplex && category(dtype) != DTypeCategory::kComplex;
  raise(ErrorKind::kInvalidArgument,
        concat(
            op, "(): argument '", argument, "', ", text_of(number),
            ": value cannot be converted to type ", dtype, " without overflow",
            loses_part ? " (Converting complex Scalar to non-complex type is not supported)" : ""));
}

void holds(const char* op, const TensorImpl& input, const Scalar& value) {
  check_holds(op, "value", input.key.dtype, value);
}

DimVector full(const char* op, Dims size, const Scalar& fill_value, const TensorOptions& options) {
  if (options.chosen_dtype()) check_holds(op, "fill_value", *options.chosen_dtype(), fill_value);
  return sizes(op, size);
}

}  // namespace eagre::dispatch::meta
