// In which order the dimensions of a new pointwise result lie in memory.
#pragma once

#include <eagre/core/tensor_impl.h>

namespace eagre::dispatch {

// Dense strides for `shape`, to which the inputs broadcast (null: a number): dimensions are in the
// order of the first input that tells two of them apart, as in PyTorch. So channels_last stays
// channels_last when a bias is added, whatever the bias looks like.
DimVector result_strides(Dims shape, Span<const TensorImpl* const> inputs);

}  // namespace eagre::dispatch
