// Checks of values that pointwise operators cannot compute with.
#include <cmath>
#include <cstring>

#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/eq.h>

namespace eagre::dispatch::meta {
namespace {

// On the CPU: elsewhere it would wait for the device, and kernels there must not stop at 0.
bool has_zero(const TensorBase& tensor) {
  const TensorBase zeros = dispatch::eq(tensor, 0);
  // A fresh result is dense, whatever its order.
  return zeros.numel() != 0 &&
         std::memchr(zeros.data_ptr(), 1, static_cast<size_t>(zeros.numel())) != nullptr;
}

}  // namespace

void divisor(const char* op, const TensorImpl& input, const Operand& other) {
  if (is_differentiable(input.key.dtype) || input.numel == 0) return;
  if (other.is_tensor()) {
    const TensorBase& tensor = other.tensor();
    if (is_differentiable(tensor.dtype()) || !tensor.device().is_cpu() || !has_zero(tensor)) return;
  } else {
    const Scalar& number = other.scalar();
    if (number.category() >= DTypeCategory::kFloating || number.wrapped<int64_t>() != 0) return;
  }
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "other", "no 0, by which integers cannot be divided",
                        other.is_tensor() ? "a tensor with zeros" : "0",
                        "divide floating-point numbers, or replace the zeros first"});
}

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
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{
            op, "exponent", "a number that is not negative, as the input is of integers",
            concat(number.wrapped<int64_t>()), "give a floating-point exponent, or convert the input"});
}

void filler(const char* op, const TensorImpl& input, const Operand& value) {
  const DType dtype = input.key.dtype;
  if (value.is_tensor()) {
    const TensorImpl& tensor = value.tensor().get();
    if (tensor.key.rank != 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "value", "a number or a tensor without dimensions",
                            concat("a tensor of shape ", tensor.sizes()),
                            "use where(mask, value, input)"});
    }
    if (category(tensor.key.dtype) <= category(dtype)) return;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "value", concat("a value that ", dtype, " can hold, as the input is"),
                          concat("a ", tensor.key.dtype, " tensor"), "convert one of them first"});
  }
  const Scalar& number = value.scalar();
  if (number.category() <= category(dtype) || number.category() < DTypeCategory::kFloating) return;
  const bool whole = number.category() == DTypeCategory::kFloating &&
                     std::trunc(number.wrapped<double>()) == number.wrapped<double>();
  if (whole) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "value", concat("a number that ", dtype, " can hold, as the input is"),
                        number.category() == DTypeCategory::kComplex ? "a complex number"
                                                                     : concat(number.wrapped<double>()),
                        "convert the input first"});
}

}  // namespace eagre::dispatch::meta
