// Indices kept within bounds where they are used.
#pragma once

#include <cstdint>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// All indices are checked before the first is used, but another thread may write to them in
// between. Then the result is any, as of all data races; that it leads nowhere else in memory is
// seen to here. Not in loops over single elements: ARCHITECTURE.md says why. The size is not 0.
EAGRE_SCALAR int64_t bounded(int64_t index, int64_t size) {
  return static_cast<uint64_t>(index) < static_cast<uint64_t>(size) ? index : 0;
}

}  // namespace eagre::scalar
