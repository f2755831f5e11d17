// Checks of powers; shapes follow from broadcasting.
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

void integer_power(const char* op, const TensorImpl& input, const Operand& exponent) {
  if (is_differentiable(input.key.dtype)) return;
  if (exponent.is_tensor()) {
    EAGRE_CHECK(input.key.dtype != kBool || exponent.tensor().dtype() != kBool, kUnimplemented, op,
                "(): there are no powers of bool tensors with bool tensors. Hint: convert one of "
                "them to an integer dtype");
    return;
  }
  const Scalar& number = exponent.scalar();
  if (number.category() >= DTypeCategory::kFloating || number.wrapped<int64_t>() >= 0) return;
  raise(
      ErrorKind::kInvalidArgument,
      concat(op, "(): Integers to negative integer powers are not allowed. Argument 'exponent' is ",
             number.wrapped<int64_t>(),
             ", and the input is of integers. Hint: give a floating-point exponent, or convert "
             "the input"));
}

}  // namespace eagre::dispatch::meta
