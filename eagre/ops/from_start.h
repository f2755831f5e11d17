// Indices that may count from the end, as operators want them that take none below 0.
#pragma once

#include <eagre/ops/add.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/where.h>

namespace eagre::ops {

inline TensorBase from_start(const TensorBase& indices, int64_t size, CallSite at) {
  return where(lt(indices, 0, at), add(indices, size, 1, at), indices, at);
}

}  // namespace eagre::ops
