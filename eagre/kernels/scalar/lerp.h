// lerp: from input to end by the share weight.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// From the nearer end, so that both ends are met exactly.
template <class T>
EAGRE_SCALAR T lerp(T input, T end, T weight) {
  const T way = end - input;
  return weight < T(0.5) && weight > T(-0.5) ? input + weight * way : end - way * (1 - weight);
}

}  // namespace eagre::scalar
