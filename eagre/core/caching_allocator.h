// Host memory for tensors: freed blocks are kept for the next tensors, since fresh pages cost more
// than most operators that fill them.
#pragma once

#include <cstddef>

#include <eagre/base/fork.h>
#include <eagre/core/allocator.h>
#include <eagre/core/memory_stats.h>
#include <eagre/core/size_class.h>

namespace eagre {

// One for the process, never destroyed. Any thread may free what another one allocated.
class CachingAllocator final : public Allocator {
 public:
  static CachingAllocator& get();

  void* allocate(size_t bytes, Device device) const override;
  void free(void* data, size_t bytes, Device device) const noexcept override;
  void copy(void* to, const void* from, size_t bytes, Device device) const override;

  cpu::MemoryStats stats() const;
  void reset_peaks() const;
  void empty_cache() const;
  // Until cache and limit are within what the flags say.
  void trim() const;

 private:
  struct Block;
  struct State;

  explicit CachingAllocator(State& state) : state_(state) {}
  [[noreturn]] void raise_out_of_memory(size_t bytes) const;

  State& state_;
};

}  // namespace eagre
