// Conversion of elements from one dtype to another.
#pragma once

#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/core/dtype.h>

namespace eagre::kernels::cpu {

struct StridedMemory {
  char* data;
  int64_t stride;  // in bytes
  DType dtype;
};

// to[i] = from[i] for n elements. NaN and numbers that int64 cannot hold become INT64_MIN.
EAGRE_API void cast(const StridedMemory& to, const StridedMemory& from, int64_t n);

}  // namespace eagre::kernels::cpu
