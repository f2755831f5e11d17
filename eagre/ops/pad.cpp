// pad: which kernel, and what PyTorch refuses.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/constant_pad_nd.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/pad.h>
#include <eagre/ops/pad_edges.h>
#include <eagre/ops/pad_with.h>
#include <eagre/ops/unpad.h>

namespace eagre::ops {

TensorBase constant_pad_nd(const TensorBase& input, Dims pad, const Scalar& value, CallSite at) {
  return pad_with(input, pad, value, input.dim() - 2, at);
}

TensorBase pad(const TensorBase& input, Dims pad, std::string_view mode,
               std::optional<double> value, CallSite at) {
  const int64_t spatial = input.dim() - 2;
  if (mode == "constant") return pad_with(input, pad, value.value_or(0), spatial, at);
  if (mode != "reflect" && mode != "replicate" && mode != "circular") {
    raise(ErrorKind::kUnimplemented,
          concat("pad(): Unrecognised padding mode ", mode,
                 ". Argument 'mode' must be 'constant', 'reflect', 'replicate' or 'circular'"));
  }
  if (value.value_or(0) != 0) {
    invalid_argument("pad", "value", concat("left out with mode '", mode, "'"), concat(*value));
  }
  // One to three dimensions, behind that of the channels and perhaps the batch.
  const auto padded = static_cast<int64_t>(pad.size()) / 2;
  const bool fits = pad.size() % 2 == 0 && padded >= 1 && padded <= 3 &&
                    (padded == spatial || padded == spatial + 1);
  if (!fits) {
    raise(ErrorKind::kUnimplemented,
          concat("pad(): Padding size ", pad.size(), " is not supported for ", input.dim(),
                 "D input tensor. Argument 'pad' must be 2, 4 or 6 numbers for the last 1, 2 or 3 "
                 "dimensions with mode '",
                 mode, "', and 'input' has one or two more"));
  }
  for (size_t d = 1; d < static_cast<size_t>(input.dim()) && mode != "circular"; ++d) {
    if (input.sizes()[d] != 0) continue;
    invalid_argument("pad", "input", "a tensor with elements, but for the size of a batch",
                     shape_text(input));
  }
  return pad_edges(input, pad, mode, spatial, at);
}

TensorBase unpad(const TensorBase& input, Dims pad, int64_t spatial, CallSite at) {
  DimVector negated = pad;
  for (int64_t& number : negated) number = -number;
  return pad_with(input, negated, 0, spatial, at);
}

}  // namespace eagre::ops
