// Memory for the small objects of every call (tensors, nodes): thread-local free lists by size.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/base/thread_state.h>

namespace eagre {

// Class c holds blocks of 16 c - 8 bytes: with the heap's own 8 bytes that is what it would round
// to.
constexpr size_t kPoolGranularity = 16, kHeapHeader = 8;
constexpr size_t pool_class_of(size_t bytes) {
  return (bytes + kHeapHeader + kPoolGranularity - 1) / kPoolGranularity;
}
constexpr size_t pool_class_bytes(size_t pool_class) {
  return pool_class * kPoolGranularity - kHeapHeader;
}
constexpr size_t kMaxPooledBytes = pool_class_bytes(ThreadCaches::kPoolClasses - 1);

EAGRE_API EAGRE_COLD void* allocate_block_slowly(size_t pool_class);
EAGRE_API EAGRE_COLD void free_block_slowly(void* block, size_t pool_class);

// Gives the blocks that wait in free lists of this thread and in the shared depot back to the heap.
EAGRE_API void trim_block_pools();

// Blocks of at most kMaxPooledBytes. Throws OutOfMemory.
EAGRE_INLINE void* allocate_block(size_t bytes) {
  const size_t pool_class = pool_class_of(bytes);
  auto& pool = thread_state.caches->pools[pool_class];
  FreeBlock* block = pool.head;
  if (block == nullptr) [[unlikely]]
    return allocate_block_slowly(pool_class);
  pool.head = block->next;
  ++pool.room;
  return block;
}

// A block may be freed by another thread than the one that took it.
EAGRE_INLINE void free_block(void* memory, size_t bytes) {
  const size_t pool_class = pool_class_of(bytes);
  auto& pool = thread_state.caches->pools[pool_class];
  if (pool.room == 0) [[unlikely]]
    return free_block_slowly(memory, pool_class);
  auto* block = static_cast<FreeBlock*>(memory);
  block->next = pool.head;
  pool.head = block;
  --pool.room;
}

}  // namespace eagre
