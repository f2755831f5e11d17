// What operators do at once for a few small tensors of one kind, where the usual steps of dispatch
// cost more than the work. Records name these functions (`shortcut`).
#pragma once

#include <eagre/core/tensor_list.h>

namespace eagre::dispatch::shortcut {

// Undefined unless all are contiguous, small, on the CPU, of one dtype and of sizes that fit.
// Whatever is wrong with other lists is found on the long way.
TensorBase cat(TensorList tensors, int64_t dim);
TensorBase stack(TensorList tensors, int64_t dim);

}  // namespace eagre::dispatch::shortcut
