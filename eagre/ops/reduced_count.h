// The number of elements that make one result of a reduction.
#pragma once

#include <eagre/core/operand.h>
#include <eagre/core/shape.h>

namespace eagre::ops {

// How many elements of a tensor of shape `size` make one result.
inline int64_t reduced_count(Dims size, const OptionalDims& dim) {
  const auto rank = static_cast<int64_t>(size.size());
  int64_t count = 1;
  if (dim.values().empty()) {
    for (int64_t each : size) count *= each;
    return count;
  }
  for (int64_t d : dim.values()) {
    const int64_t at = wrap_dim("reduction", "dim", d, rank);
    count *= rank == 0 ? 1 : size[static_cast<size_t>(at)];
  }
  return count;
}

}  // namespace eagre::ops
