// cat and stack of a few small tensors of one kind, where checks cost more than the copy.
#pragma once

#include <eagre/core/tensor_list.h>

namespace eagre::ops {

enum class Join { kCat, kStack };

// Undefined unless all are contiguous, small, on the CPU, of one dtype and of sizes that fit, and
// nobody wants a gradient. (Whatever is wrong with other lists is found on the long way.)
TensorBase joined_small(Join how, TensorList tensors, int64_t dim);

}  // namespace eagre::ops
