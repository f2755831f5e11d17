// Dropout: products with random masks, of elements or of whole channels.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/alpha_dropout.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/dropout.h>
#include <eagre/ops/dropout1d.h>
#include <eagre/ops/dropout2d.h>
#include <eagre/ops/dropout3d.h>
#include <eagre/ops/dropout_mask.h>
#include <eagre/ops/feature_alpha_dropout.h>
#include <eagre/ops/feature_dropout.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/native_dropout.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/ones_like.h>
#include <eagre/ops/real.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

void check_probability(const char* op, double p) {
  if (!(p >= 0 && p <= 1)) {
    invalid_argument(op, "p", "a probability from 0 to 1", concat(p));
  }
}

// For each element 0 or 1 / (1 - p).
TensorBase mask_for(const TensorBase& input, double p, CallSite at) {
  return dropout_mask(is_complex(input.dtype()) ? real(input, at) : input, p, nullptr, at);
}

// One element of each channel.
TensorBase first_of_channels(const char* op, const TensorBase& input, CallSite at) {
  if (input.dim() < 2) {
    invalid_argument(op, "input", "channels: at least 2 dimensions", shape_text(input));
  }
  TensorBase first = input;
  for (int64_t d = 2; d < input.dim(); ++d) first = narrow(first, d, 0, 1, at);
  return first;
}

TensorBase without_channels(const char* op, const TensorBase& input, double p, bool training,
                            CallSite at) {
  if (!training || p == 0 || input.numel() == 0) return input;
  return mul(input, mask_for(first_of_channels(op, input, at), p, at), at);
}

// What is dropped becomes -a * selu's limit, before all is moved by the mean of that. `like` has
// one element for each decision.
TensorBase alpha_dropped(const TensorBase& input, const TensorBase& like, double p, CallSite at) {
  constexpr double kLimit = 1.7580993408473766;
  if (p == 1) return mul(input, 0, at);
  const TensorBase kept = cast(ne(mask_for(like, p, at), 0, at), input.dtype(), at);
  const double a = 1 / std::sqrt((kLimit * kLimit * p + 1) * (1 - p));
  const TensorBase moved = add(mul(kept, a * kLimit, at), a * kLimit * (p - 1), 1, at);
  return add(mul(input, mul(kept, a, at), at), moved, 1, at);
}

}  // namespace

TensorBase dropout(const TensorBase& input, double p, bool training, CallSite at) {
  check_probability("dropout", p);
  if (!training || p == 0) return input;
  return mul(input, mask_for(input, p, at), at);
}

std::array<TensorBase, 2> native_dropout(const TensorBase& input, double p,
                                         std::optional<bool> train, CallSite at) {
  const SiteScope scope(at);
  check_probability("native_dropout", p);
  if (!train.value_or(true) || p == 0) {
    return {input, ones_like(input, MemoryFormat::kPreserve, TensorOptions(kBool), at)};
  }
  const TensorBase mask = mask_for(input, p, at);
  return {mul(input, mask, at), ne(mask, 0, at)};
}

TensorBase feature_dropout(const TensorBase& input, double p, bool training, CallSite at) {
  const SiteScope scope(at);
  check_probability("feature_dropout", p);
  return without_channels("feature_dropout", input, p, training, at);
}

TensorBase dropout1d(const TensorBase& input, double p, bool training, CallSite at) {
  const SiteScope scope(at);
  check_probability("dropout1d", p);
  if (input.dim() != 2 && input.dim() != 3) {
    invalid_argument("dropout1d", "input", "(N, C, L) or (C, L)", shape_text(input));
  }
  if (input.dim() == 3) return without_channels("dropout1d", input, p, training, at);
  const TensorBase batch = unsqueeze(input, 0, at);
  return squeeze(without_channels("dropout1d", batch, p, training, at), 0, at);
}

TensorBase dropout2d(const TensorBase& input, double p, bool training, CallSite at) {
  const SiteScope scope(at);
  check_probability("dropout2d", p);
  if (input.dim() == 3) {
    warn("dropout2d(): an input of 3 dimensions is taken as (N, C, L), and not as one sample");
  } else if (input.dim() != 4) {
    warn(concat("dropout2d(): an input of ", input.dim(),
                " dimensions is deprecated. Hint: dropout1d(), dropout3d() or feature_dropout()"));
  }
  return without_channels("dropout2d", input, p, training, at);
}

TensorBase dropout3d(const TensorBase& input, double p, bool training, CallSite at) {
  const SiteScope scope(at);
  check_probability("dropout3d", p);
  if (input.dim() != 4 && input.dim() != 5) {
    warn(concat("dropout3d(): an input of ", input.dim(),
                " dimensions is deprecated. Hint: dropout1d(), dropout2d() or feature_dropout()"));
  }
  if (input.dim() == 5) return without_channels("dropout3d", input, p, training, at);
  const TensorBase batch = unsqueeze(input, 0, at);
  return squeeze(without_channels("dropout3d", batch, p, training, at), 0, at);
}

TensorBase alpha_dropout(const TensorBase& input, double p, bool training, CallSite at) {
  const SiteScope scope(at);
  check_probability("alpha_dropout", p);
  if (!training || p == 0 || input.numel() == 0) return input;
  return alpha_dropped(input, input, p, at);
}

TensorBase feature_alpha_dropout(const TensorBase& input, double p, bool training, CallSite at) {
  const SiteScope scope(at);
  check_probability("feature_alpha_dropout", p);
  if (!training || p == 0 || input.numel() == 0) return input;
  return alpha_dropped(input, first_of_channels("feature_alpha_dropout", input, at), p, at);
}

}  // namespace eagre::ops
