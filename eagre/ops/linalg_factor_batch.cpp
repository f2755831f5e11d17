// Batches of factorizations.
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/linalg_qr.h>
#include <eagre/ops/zeros.h>

namespace eagre::autograd::rules {

// Of all samples together there is one Q without elements, but every sample has its own.
std::array<TensorBase, 2> linalg_qr(const BatchCall& call, const TensorBase& input,
                                    std::string_view mode, CallSite at) {
  std::array<TensorBase, 2> found = ops::linalg_qr(call.first(input), mode, at);
  if (mode == "r") {
    const int64_t sizes[] = {call.size(), 0};
    const TensorOptions options = TensorOptions(input.dtype()).device(input.device());
    found[0] = ops::zeros(Dims(sizes, 2), options, at);
  }
  return call.result(std::move(found));
}

}  // namespace eagre::autograd::rules
