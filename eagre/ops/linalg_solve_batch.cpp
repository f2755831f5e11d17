// Batches of equations.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/factored_solutions.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::autograd::rules {

// Every sample has factors of its own, as all results must have samples.
std::array<TensorBase, 4> factored_solutions(const BatchCall& call, const TensorBase& input,
                                             const TensorBase& b, bool left, bool check_errors,
                                             CallSite at) {
  const int64_t rank = std::max(input.dim(), b.dim());
  const auto aligned = [&](const TensorBase& tensor) {
    TensorBase batch = call.every(tensor);
    for (int64_t d = tensor.dim(); d < rank; ++d) batch = ops::unsqueeze(batch, 1, at);
    return batch;
  };
  std::array<TensorBase, 4> found =
      ops::factored_solutions(aligned(input), aligned(b), left, check_errors, at);
  for (int64_t d = input.dim(); d < rank; ++d) {
    for (size_t i = 1; i < 4; ++i) found[i] = ops::squeeze(found[i], 1, at);
  }
  return call.result(std::move(found));
}

}  // namespace eagre::autograd::rules
