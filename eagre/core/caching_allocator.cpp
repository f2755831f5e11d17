// Free blocks in bins by size class, and in a list by age from which the oldest go first. One lock
// guards it all; calls to the system are made without it.
#include <eagre/core/caching_allocator.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include <eagre/base/block_pool.h>
#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/fork.h>
#include <eagre/base/log.h>
#include <eagre/core/device.h>
#include <eagre/core/memory_stats.h>
#include <eagre/core/size_class.h>
#include <eagre/core/system_memory.h>

namespace eagre {

// Lies right before the bytes of a block.
struct CachingAllocator::Block {
  size_t capacity;
  size_t index;  // of the size class
  Block* bin_previous;
  Block* bin_next;
  Block* older;
  Block* newer;

  static Block* of(void* data) { return static_cast<Block*>(data) - 1; }
  void* data() { return this + 1; }
};

struct CachingAllocator::State {
  ForkMutex mutex;
  cpu::MemoryStats stats;
  Block* bins[SizeClass::kCount] = {};
  Block* oldest = nullptr;
  Block* newest = nullptr;
  const size_t memory = total_memory();

  void keep(Block* block) {
    block->bin_previous = nullptr;
    block->bin_next = bins[block->index];
    if (block->bin_next != nullptr) block->bin_next->bin_previous = block;
    bins[block->index] = block;
    block->newer = nullptr;
    block->older = newest;
    (newest != nullptr ? newest->newer : oldest) = block;
    newest = block;
    stats.cached += static_cast<int64_t>(block->capacity);
  }

  Block* take_out(Block* block) {
    (block->bin_previous != nullptr ? block->bin_previous->bin_next : bins[block->index]) =
        block->bin_next;
    if (block->bin_next != nullptr) block->bin_next->bin_previous = block->bin_previous;
    (block->older != nullptr ? block->older->newer : oldest) = block->newer;
    (block->newer != nullptr ? block->newer->older : newest) = block->older;
    stats.cached -= static_cast<int64_t>(block->capacity);
    return block;
  }

  // The class asked for or the next one, which wastes at most a quarter.
  Block* find(size_t index) {
    const size_t last = std::min(index + 1, SizeClass::kCount - 1);
    for (; index <= last; ++index) {
      if (bins[index] != nullptr) return take_out(bins[index]);
    }
    return nullptr;
  }

  int64_t cache_limit() const {
#ifdef EAGRE_NO_CACHES
    return 0;
#else
    return static_cast<int64_t>(static_cast<double>(memory) * flags().memory_cache_fraction.load());
#endif
  }

  // Takes the oldest blocks out until the cache is within its limit and `wanted` more bytes are
  // within the memory limit; returns them as a list for give_back().
  Block* shrink(int64_t wanted, int64_t cache_limit) {
    const int64_t limit = flags().memory_limit.load(std::memory_order_relaxed);
    Block* list = nullptr;
    while (oldest != nullptr &&
           (stats.cached > cache_limit || (limit != 0 && stats.reserved + wanted > limit))) {
      Block* block = take_out(oldest);
      stats.reserved -= static_cast<int64_t>(block->capacity);
      block->bin_next = list;
      list = block;
    }
    return list;
  }

  // False when the machine or the memory limit forbids it, whatever is thrown out.
  bool reserve(int64_t bytes) {
    // The system may promise more than there is, and end the process when it is used.
    if (bytes > static_cast<int64_t>(memory)) return false;
    const int64_t limit = flags().memory_limit.load(std::memory_order_relaxed);
    if (limit != 0 && stats.reserved + bytes > limit) return false;
    stats.reserved += bytes;
    stats.peak_reserved = std::max(stats.peak_reserved, stats.reserved);
    return true;
  }

  void count_allocation(size_t bytes) {
    ++stats.allocations;
    stats.allocated += static_cast<int64_t>(bytes);
    stats.peak_allocated = std::max(stats.peak_allocated, stats.allocated);
  }

  static void give_back(Block* list) {
    while (list != nullptr) {
      Block* block = std::exchange(list, list->bin_next);
      unmap_block(block->data(), block->capacity);
    }
  }
};

CachingAllocator& CachingAllocator::get() {
  static CachingAllocator& instance = *new CachingAllocator(*new State);
  return instance;
}

static const MadeAtLoad kAllocatorAtLoad(CachingAllocator::get);

void* CachingAllocator::allocate(size_t bytes, Device) const {
  static_assert(sizeof(Block) <= kBlockAlignment);
  if (bytes > SizeClass::kMostBytes) raise_out_of_memory(bytes);
  SizeClass size = SizeClass::of(bytes);
#ifdef EAGRE_NO_CACHES
  size.bytes = bytes;
#endif
  const auto wanted = static_cast<int64_t>(size.bytes);
  Block* dropped = nullptr;
  bool reserved = false;
  {
    std::lock_guard lock(state_.mutex);
    if (Block* block = state_.find(size.index)) {
      ++state_.stats.cache_hits;
      state_.count_allocation(bytes);
      return block->data();
    }
    dropped = state_.shrink(wanted, state_.cache_limit());
    reserved = state_.reserve(wanted);
  }
  State::give_back(dropped);
  if (!reserved) raise_out_of_memory(bytes);

  const bool huge_pages = flags().huge_pages;
  void* data = map_block(size.bytes, huge_pages);
  if (data == nullptr) {
    log_info("the system refused ", bytes, " bytes: giving back what is cached");
    empty_cache();
    data = map_block(size.bytes, huge_pages);
  }
  {
    std::lock_guard lock(state_.mutex);
    if (data == nullptr) {
      state_.stats.reserved -= wanted;
    } else {
      state_.count_allocation(bytes);
    }
  }
  if (data == nullptr) raise_out_of_memory(bytes);
  Block* block = new (Block::of(data)) Block;
  block->capacity = size.bytes;
  block->index = size.index;
  return data;
}

void CachingAllocator::copy(void* to, const void* from, size_t bytes, Device) const {
  std::memcpy(to, from, bytes);
}

void CachingAllocator::free(void* data, size_t bytes, Device) const noexcept {
  Block* dropped = nullptr;
  {
    std::lock_guard lock(state_.mutex);
    ++state_.stats.frees;
    state_.stats.allocated -= static_cast<int64_t>(bytes);
    state_.keep(Block::of(data));
    const int64_t limit = state_.cache_limit();
    if (state_.stats.cached > limit) dropped = state_.shrink(0, limit);
  }
  State::give_back(dropped);
}

cpu::MemoryStats CachingAllocator::stats() const {
  std::lock_guard lock(state_.mutex);
  return state_.stats;
}

void CachingAllocator::reset_peaks() const {
  std::lock_guard lock(state_.mutex);
  state_.stats.peak_allocated = state_.stats.allocated;
  state_.stats.peak_reserved = state_.stats.reserved;
}

void CachingAllocator::empty_cache() const {
  Block* dropped = nullptr;
  {
    std::lock_guard lock(state_.mutex);
    dropped = state_.shrink(0, 0);
  }
  State::give_back(dropped);
}

void CachingAllocator::trim() const {
  Block* dropped = nullptr;
  {
    std::lock_guard lock(state_.mutex);
    dropped = state_.shrink(0, state_.cache_limit());
  }
  State::give_back(dropped);
}

void CachingAllocator::raise_out_of_memory(size_t bytes) const {
  cpu::MemoryStats stats;
  {
    std::lock_guard lock(state_.mutex);
    ++state_.stats.out_of_memory;
    stats = state_.stats;
  }
  const int64_t limit = flags().memory_limit;
  raise(ErrorKind::kOutOfMemory,
        concat("out of host memory: cannot allocate ", bytes, " bytes; tensors use ",
               stats.allocated, " bytes, ", stats.cached, " are cached, ",
               limit == 0 ? std::string("there is no memory limit")
                          : concat("the memory limit is ", limit)));
}

namespace cpu {

MemoryStats memory_stats() { return CachingAllocator::get().stats(); }
void reset_peak_memory_stats() { CachingAllocator::get().reset_peaks(); }
void empty_cache() {
  CachingAllocator::get().empty_cache();
  trim_block_pools();
}

void set_memory_limit(int64_t bytes) {
  if (bytes < 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"set_memory_limit", "bytes", "at least 0", std::to_string(bytes),
                          "0 stands for no limit"});
  }
  flags().memory_limit = bytes;
  CachingAllocator::get().trim();
}

}  // namespace cpu
}  // namespace eagre
