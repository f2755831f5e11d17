// Arithmetic that is written with other operators (records with `composite: true`): whatever
// differentiates those differentiates these. `at` is passed on, so errors name the user's line.
#include <optional>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/div.h>
#include <eagre/ops/div_mode.h>
#include <eagre/ops/floor_divide.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/positive.h>
#include <eagre/ops/rdiv.h>
#include <eagre/ops/reciprocal.h>
#include <eagre/ops/remainder.h>
#include <eagre/ops/rfloor_divide.h>
#include <eagre/ops/rremainder.h>
#include <eagre/ops/scale.h>
#include <eagre/ops/true_divide.h>
#include <eagre/ops/trunc_divide.h>

namespace eagre::ops {

TensorBase scale(const TensorBase& input, const Scalar& factor, CallSite at) {
  const bool is_one =
      factor.category() != DTypeCategory::kComplex && factor.wrapped<double>() == 1.0;
  return is_one ? input : mul(input, factor, at);
}

TensorBase rdiv(const TensorBase& input, const Operand& other, CallSite at) {
  return mul(reciprocal(input, at), other, at);
}

TensorBase rfloor_divide(const TensorBase& input, const Operand& other, CallSite at) {
  return floor_divide(operand_to_tensor(other, input, at), input, at);
}

TensorBase rremainder(const TensorBase& input, const Operand& other, CallSite at) {
  return remainder(operand_to_tensor(other, input, at), input, at);
}

TensorBase true_divide(const TensorBase& input, const Operand& other, CallSite at) {
  return div(input, other, at);
}

TensorBase div_mode(const TensorBase& input, const Operand& other,
                    std::optional<std::string_view> rounding_mode, CallSite at) {
  if (!rounding_mode) return div(input, other, at);
  if (*rounding_mode == "trunc") return trunc_divide(input, other, at);
  if (*rounding_mode == "floor") return floor_divide(input, other, at);
  const SiteScope scope(at);
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"div", "rounding_mode", "None, 'trunc' or 'floor'",
                        concat("'", *rounding_mode, "'")});
}

TensorBase positive(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dtype() != kBool, kUnimplemented,
              "positive(): bool tensors have no sign. Hint: convert them to numbers");
  return input;
}

}  // namespace eagre::ops
