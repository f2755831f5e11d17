// Checks of the numbers that activations take; shapes follow from their inputs.
#include <limits>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

void limits(const char* op, const TensorImpl& input, const Scalar& min_val, const Scalar& max_val) {
  check_holds(op, "min_val", input.key.dtype, min_val);
  check_holds(op, "max_val", input.key.dtype, max_val);
  if (min_val.to<double>() > max_val.to<double>()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "min_val", concat("at most 'max_val', which is ", text_of(max_val)),
                          text_of(min_val)});
  }
}

void softness(const char* op, const Scalar& alpha) {
  if (alpha.to<double>() == 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "alpha", "a number other than 0, which would be divided by", "0"});
  }
}

void shrinkage(const char* op, const TensorImpl& input, const Scalar& lambd) {
  check_holds(op, "lambd", input.key.dtype, lambd);
  if (!(lambd.to<double>() >= 0 && lambd.to<double>() <= std::numeric_limits<double>::max())) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "lambd", "a number that is not negative", text_of(lambd)});
  }
}

void no_bools(const char* op, const TensorImpl& input) {
  EAGRE_CHECK(input.key.dtype != kBool, kUnimplemented, op, "(): expected numbers, but got bool");
}

void one_slope(const char* op, const TensorImpl& input, const TensorImpl& weight) {
  if (weight.key.dtype == input.key.dtype) [[likely]]
    return;
  raise(
      ErrorKind::kInvalidArgument,
      concat(op, "(): expected argument 'weight' to be of the dtype of 'input', ", input.key.dtype,
             ", but got ", weight.key.dtype, ". Hint: convert one of them with .to(dtype)"));
}

}  // namespace eagre::dispatch::meta
