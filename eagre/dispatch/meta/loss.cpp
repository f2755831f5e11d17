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

}  // namespace eagre::dispatch::meta
