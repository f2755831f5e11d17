// Checks of values that arithmetic cannot compute with; shapes follow from broadcasting.
#include <cstdint>
#include <cstring>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
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
  raise(
      ErrorKind::kInvalidArgument,
      concat(op, "(): ZeroDivisionError: integers cannot be divided by 0, but argument 'other' is ",
             other.is_tensor() ? "a tensor with zeros" : "0",
             ". Hint: divide floating-point numbers, or replace the zeros first"));
}

void difference(const char* op, const TensorImpl& input, const Operand& other) {
  const bool bools = other.is_tensor() ? other.tensor().get(op, "other").key.dtype == kBool
                                       : other.scalar().category() == DTypeCategory::kBool;
  if (input.key.dtype != kBool && !bools) [[likely]]
    return;
  const bool both = input.key.dtype == kBool && bools;
  raise(ErrorKind::kUnimplemented,
        concat(op, "(): Subtraction, the `-` operator, with ",
               both ? "two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
                      "instead."
                    : "a bool tensor is not supported. If you are trying to invert a mask, use the "
                      "`~` or `logical_not()` operator instead; else convert it to numbers."));
}

void blend(const char* op, const TensorImpl& input, const TensorImpl& end, const Operand& weight) {
  const DType dtype = input.key.dtype;
  // A 0-dim weight takes part in promotion.
  const bool is_promoted = weight.is_tensor() && weight.tensor().dim() == 0 &&
                           is_differentiable(weight.tensor().dtype());
  EAGRE_CHECK(is_differentiable(dtype) || is_promoted, kUnimplemented, op,
              "(): there are no floating-point numbers between those of ", dtype);
  const auto check = [&](const char* name, DType given) {
    if (given == dtype) [[likely]]
      return;
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): expected dtype ", dtype, " for `", name, "` but got dtype ", given, ": '",
                 name,
                 "' must be of the dtype of 'input'. Hint: convert one of them with "
                 ".to(dtype)"));
  };
  check("end", end.key.dtype);
  if (weight.is_tensor()) {
    const TensorImpl& tensor = weight.tensor().get(op, "weight");
    if (tensor.key.rank != 0) check("weight", tensor.key.dtype);
  } else if (weight.scalar().category() == DTypeCategory::kComplex && !is_complex(dtype)) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "weight", concat("a real number, as 'input' is of ", dtype),
                          "a complex one"});
  }
}

}  // namespace eagre::dispatch::meta
