// isnan, isinf and similar, and shifts with a number on the left.
#include <limits>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/bitwise_left_shift.h>
#include <eagre/ops/bitwise_right_shift.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/full.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/imag.h>
#include <eagre/ops/is_nonzero.h>
#include <eagre/ops/isneginf.h>
#include <eagre/ops/isposinf.h>
#include <eagre/ops/isreal.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/rbitwise_left_shift.h>
#include <eagre/ops/rbitwise_right_shift.h>

namespace eagre::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TensorBase is_infinity(const char* op, const TensorBase& input, double infinity, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.dtype()), kType, op,
              "(): argument 'input' must not be complex, which has no positive and negative, but "
              "got ",
              input.dtype());
  return eq(input, infinity, at);
}

}  // namespace

TensorBase isposinf(const TensorBase& input, CallSite at) {
  return is_infinity("isposinf", input, kInfinity, at);
}

TensorBase isneginf(const TensorBase& input, CallSite at) {
  return is_infinity("isneginf", input, -kInfinity, at);
}

TensorBase isreal(const TensorBase& input, CallSite at) {
  if (is_complex(input.dtype())) return eq(imag(input, at), 0, at);
  return full(input.sizes(), true, TensorOptions(kBool).device(input.device()), at);
}

bool is_nonzero(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.numel() == 1, kInvalidArgument, "is_nonzero(): Boolean value of Tensor with ",
              input.numel() == 0 ? "no values" : "more than one value",
              " is ambiguous: it has shape ", input.sizes(), ". Hint: use any() or all()");
  return as_bool("is_nonzero", input);
}

TensorBase rbitwise_left_shift(const TensorBase& input, const Operand& other, CallSite at) {
  return bitwise_left_shift(operand_to_tensor(other, input, at), input, at);
}

TensorBase rbitwise_right_shift(const TensorBase& input, const Operand& other, CallSite at) {
  return bitwise_right_shift(operand_to_tensor(other, input, at), input, at);
}

}  // namespace eagre::ops
