// Host memory of tensors: what it is used for, and how to bound it. Tensors of some hundred bytes
// live inside their own objects and are not counted.
#pragma once

#include <cstdint>

#include <eagre/base/export.h>

namespace eagre::cpu {

struct MemoryStats {
  int64_t allocated = 0, peak_allocated = 0;  // bytes that tensors asked for
  int64_t reserved = 0, peak_reserved = 0;    // bytes held from the system: in use and cached
  int64_t cached = 0;                         // of these, freed and kept for the next tensors
  int64_t allocations = 0, frees = 0;
  int64_t cache_hits = 0;  // allocations that needed nothing from the system
  int64_t out_of_memory = 0;
};
EAGRE_API MemoryStats memory_stats();

inline int64_t memory_allocated() { return memory_stats().allocated; }
inline int64_t memory_reserved() { return memory_stats().reserved; }
inline int64_t max_memory_allocated() { return memory_stats().peak_allocated; }
inline int64_t max_memory_reserved() { return memory_stats().peak_reserved; }

// The peaks become what is in use now.
EAGRE_API void reset_peak_memory_stats();

// Gives what is cached back to the system.
EAGRE_API void empty_cache();

// The most bytes that tensors and the cache may take together; 0: no limit. More is OutOfMemory.
EAGRE_API void set_memory_limit(int64_t bytes);

}  // namespace eagre::cpu
