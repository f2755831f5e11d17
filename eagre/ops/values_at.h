// Values with their places, as kthvalue and median return them.
#pragma once

#include <array>

#include <eagre/ops/gather.h>
#include <eagre/ops/squeeze.h>

namespace eagre::ops {

// The values at places that were chosen without recording anything: a gradient goes there.
inline std::array<TensorBase, 2> values_at(const TensorBase& input, int64_t dim,
                                           const TensorBase& places, bool keepdim, CallSite at) {
  const TensorBase values = gather(input, dim, places, at);
  if (keepdim) return {values, places};
  return {squeeze(values, dim, at), squeeze(places, dim, at)};
}

}  // namespace eagre::ops
