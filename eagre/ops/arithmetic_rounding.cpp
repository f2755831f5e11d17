// Rounding to decimals, and numbers in place of NaN and infinities.
#include <cmath>
#include <cstdint>
#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/can_hold.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/div.h>
#include <eagre/ops/full.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/nan_to_num.h>
#include <eagre/ops/replace_special.h>
#include <eagre/ops/round.h>
#include <eagre/ops/round_decimals.h>
#include <eagre/ops/zeros_of.h>

namespace eagre::ops {

TensorBase round_decimals(const TensorBase& input, int64_t decimals, CallSite at) {
  EAGRE_CHECK(is_floating_point(input.dtype()), kUnimplemented, "round(): argument 'decimals' is ",
              "for floating-point tensors, but the input is of ", input.dtype());
  if (decimals == 0) return round(input, at);
  const double scale = std::pow(10.0, std::fabs(static_cast<double>(decimals)));
  if (decimals > 0) return div(round(mul(input, scale, at), at), scale, at);
  return mul(round(div(input, scale, at), at), scale, at);
}

TensorBase zeros_of(const TensorBase& g, CallSite at) {
  return full(g.sizes(), 0, TensorOptions(g.dtype()).device(g.device()), at);
}

TensorBase nan_to_num(const TensorBase& input, std::optional<double> nan,
                      std::optional<double> posinf, std::optional<double> neginf, CallSite at) {
  if (!is_differentiable(input.dtype())) return clone(input, at);
  double largest = 0;
  visit_dtype(real_dtype(input.dtype()), [&](auto zero) {
    if constexpr (!kIsComplex<decltype(zero)>) largest = largest_finite<decltype(zero)>();
  });
  return replace_special(input, nan.value_or(0), posinf.value_or(largest),
                         neginf.value_or(-largest), at);
}

}  // namespace eagre::ops
