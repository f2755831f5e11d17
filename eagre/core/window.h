// Windows that move along a dimension, as pooling and convolution have them.
#pragma once

#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/core/shape.h>

namespace eagre {

// Numbers of a window are at most this, so that sums and products of two do not overflow.
constexpr int64_t kMostOfWindow = INT32_MAX;
// So are sizes along which one moves.
constexpr int64_t kMostUnderWindow = int64_t{1} << 48;

struct Window {
  int64_t kernel = 1, stride = 1, padding = 0, dilation = 1;

  // From its first element to its last.
  int64_t extent() const { return dilation * (kernel - 1) + 1; }
};

// An argument with a number for each of `count` dimensions, of which one given stands for all, as
// `missing` does if none is. All are from `least` to kMostOfWindow, else that is an error.
EAGRE_API DimVector window_argument(const char* op, const char* argument, const OptionalDims& given,
                                    size_t count, int64_t least, Dims missing);

// How many windows there are along a dimension of that size. With `ceil_mode` the last one may
// reach beyond the end, if it begins before. An error in the name of `op` if there is none.
EAGRE_API int64_t count_windows(const char* op, int64_t size, const Window& window, bool ceil_mode);

}  // namespace eagre
