// Shapes of losses.
#include <array>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

std::array<DimVector, 3> cross_entropy_rows(const char*, const TensorImpl& input,
                                            const TensorImpl& target, int64_t reduction) {
  EAGRE_INTERNAL_CHECK(input.key.rank == 2 && target.key.rank == 1 &&
                       input.sizes()[0] == target.sizes()[0]);
  const bool is_reduced = static_cast<LossReduction>(reduction) != LossReduction::kNone;
  return {is_reduced ? DimVector() : DimVector(target.sizes()), target.sizes(), DimVector()};
}

std::array<DimVector, 2> ctc_alignments(const char* op, const TensorImpl& log_probs,
                                        const TensorImpl& states) {
  EAGRE_INTERNAL_CHECK(log_probs.key.rank == 3 && states.key.rank == 2);
  const int64_t samples = log_probs.sizes()[1];
  DimVector ways = {samples, log_probs.sizes()[0], states.sizes()[1]};
  checked_numel(op, ways);
  return {DimVector{samples}, ways};
}

}  // namespace eagre::dispatch::meta
