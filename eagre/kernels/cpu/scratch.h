// Working memory of kernels, one buffer per thread and use, kept for the next call: fresh pages
// would cost more than what is computed in them.
#pragma once

#include <cstddef>

#include <eagre/base/export.h>

namespace eagre::kernels::cpu {

enum class Scratch : unsigned char { kBlock, kPanel, kRow, kSums };
constexpr size_t kScratchCount = 4;

// At least this many bytes, aligned to 64, with any contents; valid until this thread asks again
// for the same use. Throws OutOfMemory.
EAGRE_API void* scratch(Scratch use, size_t bytes);

// Gives the buffers of this thread back to the heap.
EAGRE_API void trim_scratch();

}  // namespace eagre::kernels::cpu
