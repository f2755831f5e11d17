// Slabs: which have blocks left, and how a slab comes and goes.
#include <eagre/base/slabs.h>

#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include <eagre/base/flags.h>
#include <eagre/base/fork.h>
#include <eagre/base/thread_state.h>

namespace eagre {
namespace {

constexpr size_t kSlabBytes = size_t{2} << 20;
constexpr uint32_t kMaxSlabs = 1 << 15;
constexpr size_t kRangeBytes = kMaxSlabs * kSlabBytes;  // addresses, not memory

// Stands at the beginning of its memory.
struct alignas(64) Slab {
  FreeBlock* free = nullptr;  // blocks that came back
  uint32_t in_use = 0;        // blocks that are out
  uint32_t untouched;         // where the blocks begin that have never been out
  uint32_t stride;
  uint32_t pool_class;
  Slab* previous = nullptr;  // of those of its class that have blocks left
  Slab* next = nullptr;

  bool has_untouched() const { return untouched + stride <= kSlabBytes; }
  bool is_full() const { return free == nullptr && !has_untouched(); }

  FreeBlock* take() {
    ++in_use;
    if (FreeBlock* block = free) {
      free = block->next;
      return block;
    }
    auto* block = reinterpret_cast<FreeBlock*>(reinterpret_cast<char*>(this) + untouched);
    untouched += stride;
    return block;
  }
};

struct Slabs {
  ForkMutex mutex;
  std::atomic<char*> range{nullptr};  // where it begins; null: there is none
  bool was_refused = false;
  uint32_t begun = 0;  // slabs that have ever been in use
  uint32_t unused_count = 0;
  uint32_t* unused = nullptr;  // numbers of those that are not now
  Slab* open[ThreadCaches::kPoolClasses] = {};

  Slab* at(uint32_t number) const {
    return reinterpret_cast<Slab*>(range.load(std::memory_order_relaxed) + number * kSlabBytes);
  }
  uint32_t number_of(const void* place) const {
    const auto offset = static_cast<const char*>(place) - range.load(std::memory_order_relaxed);
    return static_cast<uint32_t>(static_cast<size_t>(offset) / kSlabBytes);
  }

  // Takes the range of addresses, once. Where addresses are counted, others need them more.
  bool has_range() {
    if (unused != nullptr || was_refused) return !was_refused;
    was_refused = true;
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return false;
    void* start = mmap(nullptr, kRangeBytes + kSlabBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return false;
    unused = new (std::nothrow) uint32_t[kMaxSlabs];
    if (unused == nullptr) {
      munmap(start, kRangeBytes + kSlabBytes);
      return false;
    }
    const size_t beyond = reinterpret_cast<uintptr_t>(start) % kSlabBytes;
    range.store(static_cast<char*>(start) + (kSlabBytes - beyond), std::memory_order_relaxed);
    was_refused = false;
    return true;
  }

  Slab* begin_slab(size_t pool_class, size_t stride) {
    if (!has_range() || (unused_count == 0 && begun == kMaxSlabs)) return nullptr;
    Slab* slab = at(unused_count > 0 ? unused[unused_count - 1] : begun);
    if (mprotect(slab, kSlabBytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    unused_count > 0 ? --unused_count : ++begun;
    if (flags().huge_pages) madvise(slab, kSlabBytes, MADV_HUGEPAGE);
    new (slab) Slab{.untouched = sizeof(Slab),
                    .stride = static_cast<uint32_t>(stride),
                    .pool_class = static_cast<uint32_t>(pool_class)};
    link(*slab);
    return slab;
  }
  void end_slab(Slab& slab) {
    unlink(slab);
    unused[unused_count++] = number_of(&slab);
    madvise(&slab, kSlabBytes, MADV_DONTNEED);
  }

  void link(Slab& slab) {
    Slab*& first = open[slab.pool_class];
    slab.previous = nullptr;
    slab.next = first;
    if (first != nullptr) first->previous = &slab;
    first = &slab;
  }
  void unlink(Slab& slab) {
    (slab.previous != nullptr ? slab.previous->next : open[slab.pool_class]) = slab.next;
    if (slab.next != nullptr) slab.next->previous = slab.previous;
  }

  void give_back(FreeBlock* block) {
    Slab& slab = *at(number_of(block));
    if (slab.is_full()) link(slab);
    block->next = slab.free;
    slab.free = block;
    if (--slab.in_use == 0) end_slab(slab);
  }
};

// Never destroyed: other threads may free tensors while the process ends.
Slabs& slabs() {
  static Slabs& instance = *new Slabs;
  return instance;
}

const MadeAtLoad kSlabsAtLoad(slabs);

}  // namespace

BlockRun take_from_slabs(size_t pool_class, size_t stride, uint32_t count) {
  Slabs& all = slabs();
  std::lock_guard lock(all.mutex);
  Slab* slab = all.open[pool_class];
  if (slab == nullptr) slab = all.begin_slab(pool_class, stride);
  if (slab == nullptr) return {};
  BlockRun run;
  FreeBlock** end = &run.first;
  for (; run.count < count && !slab->is_full(); ++run.count) {
    *end = slab->take();
    end = &(*end)->next;
  }
  *end = nullptr;
  if (slab->is_full()) all.unlink(*slab);
  return run;
}

bool is_in_slab(const void* block) {
  const char* const range = slabs().range.load(std::memory_order_relaxed);
  return range != nullptr &&
         reinterpret_cast<uintptr_t>(block) - reinterpret_cast<uintptr_t>(range) < kRangeBytes;
}

void return_to_slabs(FreeBlock* list) {
  Slabs& all = slabs();
  std::lock_guard lock(all.mutex);
  while (list != nullptr) {
    FreeBlock* const next = list->next;
    all.give_back(list);
    list = next;
  }
}

}  // namespace eagre
