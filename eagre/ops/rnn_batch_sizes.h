// How many sequences of a packed batch have each step.
#pragma once

#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

// The values of `batch_sizes`, which never grow and add up to `rows`.
DimVector checked_batch_sizes(const char* op, const TensorBase& batch_sizes, int64_t rows);

// The values of a vector of int64, on whatever device.
DimVector host_integers(const char* op, const char* argument, const TensorBase& tensor);

}  // namespace eagre::ops
