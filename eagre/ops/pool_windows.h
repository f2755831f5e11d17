// What pooling operators are asked for, checked: sizes of the result, and its windows.
#pragma once

#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

struct PoolWindows {
  DimVector size;    // of the result
  DimVector window;  // kernel, stride, padding and dilation of each dimension; empty: they adapt
};

// Raises unless `input` has `spatial` dimensions behind one of channels, and perhaps one of a
// batch, of which only the last may be 0.
void check_pooled(const char* op, const TensorBase& input, int64_t spatial);

PoolWindows pool_windows(const char* op, const TensorBase& input, int64_t spatial, Dims kernel_size,
                         const OptionalDims& stride, Dims padding, Dims dilation, bool ceil_mode);
PoolWindows adaptive_windows(const char* op, const TensorBase& input, int64_t spatial,
                             const OptionalDims& output_size);

// An output_size: one number for each dimension, or one for all.
DimVector pooled_size(const char* op, const TensorBase& input, int64_t spatial,
                      const OptionalDims& output_size);

// `tensor` with its last `spatial` dimensions as one.
TensorBase as_planes(const TensorBase& tensor, int64_t spatial, CallSite at);

}  // namespace eagre::ops
