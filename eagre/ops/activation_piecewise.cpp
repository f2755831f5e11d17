// prelu: the shape of its weight.
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/prelu.h>
#include <eagre/ops/prelu_kernel.h>
#include <eagre/ops/view.h>

namespace eagre::ops {

TensorBase prelu(const TensorBase& input, const TensorBase& weight, CallSite at) {
  const SiteScope scope(at);
  if (weight.dim() > 1)
    invalid_argument("prelu", "weight", "a number or a vector", shape_text(weight));
  if (weight.dim() == 1 && (weight.numel() != 1 || input.dim() >= 2)) {
    if (input.dim() == 0) invalid_argument("prelu", "input", "channels", "a 0-dim tensor");
    const int64_t channels = input.dim() > 1 ? input.size(1) : 1;
    if (weight.numel() != 1 && weight.numel() != channels) {
      invalid_argument("prelu", "weight",
                       concat("a number for each channel, of which 'input' has ", channels),
                       shape_text(weight));
    }
  }
  if (weight.dim() == 0 || input.dim() == 2) return prelu_kernel(input, weight, at);
  DimVector sizes(static_cast<size_t>(input.dim()), 1);
  if (input.dim() > 1) sizes[1] = weight.numel();
  return prelu_kernel(input, view(weight, sizes, at), at);
}

}  // namespace eagre::ops
