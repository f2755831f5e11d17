// What a loss makes of the losses of its elements.
#pragma once

#include <cstdint>

namespace eagre {

enum class LossReduction : int64_t { kNone, kMean, kSum };  // PyTorch's numbers

}  // namespace eagre
