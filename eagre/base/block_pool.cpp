// The slow half of the free lists: a shared depot that threads exchange batches of blocks through.
//
// A thread's list holds at most kListLimit blocks. When it is full, half of it goes to the depot as
// one batch; when it is empty, a batch comes back. So blocks freed by a consumer thread find their
// way to the producer, and no list grows without bound. Fresh blocks come from the heap, or from
// slabs once the heap has given many. Sanitizer builds (EAGRE_NO_CACHES) go to the heap every time,
// or the sanitizer would not see a use after free.
#include <eagre/base/block_pool.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/base/slabs.h>
#include <eagre/base/thread_state.h>

namespace eagre {
namespace {

constexpr uint32_t kListLimit = 1024;
constexpr uint32_t kBatch = kListLimit / 2;
constexpr size_t kDepotLimitBytes = size_t{64} << 20;
constexpr int64_t kMostOnHeap = 4096;  // blocks of a class; what is more comes from slabs
constexpr uint32_t kRun = 64;          // blocks that a thread takes from a slab at once

// A block must hold the links of the lists it waits in.
constexpr size_t kSmallestClass = 2;

// The first block of a batch in the depot.
struct Batch {
  FreeBlock* next;
  Batch* next_batch;
};
static_assert(sizeof(Batch) <= pool_class_bytes(kSmallestClass));

struct Depot {
  ForkMutex mutex;
  std::atomic<Batch*> batches[ThreadCaches::kPoolClasses] = {};  // written under the lock
  size_t bytes = 0;
};

// Never destroyed: other threads may free tensors while the process ends.
Depot& depot() {
  static Depot& instance = *new Depot;
  return instance;
}

const MadeAtLoad kDepotAtLoad(depot);

// Blocks of each class that are from the heap, in use or not.
std::atomic<int64_t> heap_blocks[ThreadCaches::kPoolClasses];

void free_list(FreeBlock* list, size_t pool_class) {
  FreeBlock* in_slabs = nullptr;
  int64_t on_heap = 0;
  while (list != nullptr) {
    FreeBlock* const block = std::exchange(list, list->next);
    if (is_in_slab(block)) {
      block->next = std::exchange(in_slabs, block);
    } else {
      ++on_heap;
      std::free(block);
    }
  }
  heap_blocks[pool_class].fetch_sub(on_heap, std::memory_order_relaxed);
  if (in_slabs != nullptr) return_to_slabs(in_slabs);
}

// Takes ownership of a list of exactly kBatch blocks.
void return_to_depot(FreeBlock* list, size_t pool_class) {
  const size_t bytes = kBatch * pool_class * kPoolGranularity;
  Depot& shared = depot();
  {
    std::lock_guard lock(shared.mutex);
    if (shared.bytes + bytes <= kDepotLimitBytes) {
      auto* batch = reinterpret_cast<Batch*>(list);
      batch->next_batch = shared.batches[pool_class];
      shared.batches[pool_class] = batch;
      shared.bytes += bytes;
      return;
    }
  }
  free_list(list, pool_class);
}

FreeBlock* take_from_depot(size_t pool_class) {
  Depot& shared = depot();
  // A program that only takes blocks, such as one that records a long graph, need not lock.
  if (shared.batches[pool_class].load(std::memory_order_relaxed) == nullptr) return nullptr;
  std::lock_guard lock(shared.mutex);
  Batch* batch = shared.batches[pool_class];
  if (batch == nullptr) return nullptr;
  shared.batches[pool_class] = batch->next_batch;
  shared.bytes -= kBatch * pool_class * kPoolGranularity;
  return reinterpret_cast<FreeBlock*>(batch);
}

void* allocate_from_heap(size_t pool_class) {
  void* block = std::malloc(pool_class_bytes(std::max(pool_class, kSmallestClass)));
  if (block == nullptr) {
    throw Error(ErrorKind::kOutOfMemory, "out of host memory for a small object");
  }
  heap_blocks[pool_class].fetch_add(1, std::memory_order_relaxed);
  return block;
}

void empty_lists(ThreadCaches& caches) {
  for (size_t pool_class = 0; pool_class < ThreadCaches::kPoolClasses; ++pool_class) {
    auto& pool = caches.pools[pool_class];
    free_list(std::exchange(pool.head, nullptr), pool_class);
    pool.room = kListLimit;
  }
}

// Ends the thread's caches with the thread. What is freed later goes to the heap.
struct ThreadCachesOwner {
  ThreadCaches* caches = nullptr;
  bool ended = false;
  ~ThreadCachesOwner() {
    ended = true;
    thread_state.caches = &empty_thread_caches;
    if (caches == nullptr) return;
    empty_lists(*caches);
    delete caches;
  }
};
constinit thread_local ThreadCachesOwner owner;

}  // namespace

ThreadCaches empty_thread_caches = {};
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): constinit, so nothing runs
constinit thread_local ThreadState thread_state __attribute__((tls_model("initial-exec"))) = {};

ThreadCaches* make_thread_caches() {
  if (owner.ended) return &empty_thread_caches;
  auto* caches = new (std::nothrow) ThreadCaches{};
  if (caches == nullptr) return &empty_thread_caches;
#ifndef EAGRE_NO_CACHES
  for (auto& pool : caches->pools) pool.room = kListLimit;
#endif
  owner.caches = caches;
  thread_state.caches = caches;
  return caches;
}

void* allocate_block_slowly(size_t pool_class) {
#ifndef EAGRE_NO_CACHES
  ThreadCaches* caches = thread_state.caches;
  if (caches == &empty_thread_caches) caches = make_thread_caches();
  if (caches != &empty_thread_caches) {
    BlockRun run{take_from_depot(pool_class), kBatch};
    if (run.first == nullptr &&
        heap_blocks[pool_class].load(std::memory_order_relaxed) >= kMostOnHeap) {
      run = take_from_slabs(pool_class, pool_class * kPoolGranularity, kRun);
    }
    if (run.first != nullptr) {
      auto& pool = caches->pools[pool_class];
      pool.head = run.first->next;
      pool.room -= run.count - 1;
      return run.first;
    }
  }
#endif
  return allocate_from_heap(pool_class);
}

void free_block_slowly(void* memory, size_t pool_class) {
  ThreadCaches* caches = thread_state.caches;
#ifndef EAGRE_NO_CACHES
  if (caches == &empty_thread_caches) caches = make_thread_caches();
#endif
  auto& pool = caches->pools[pool_class];
  auto* block = static_cast<FreeBlock*>(memory);
  if (pool.head == nullptr && pool.room == 0) {  // there are no lists
    block->next = nullptr;
    return free_list(block, pool_class);
  }
  if (pool.room == 0) {
    FreeBlock* batch = pool.head;
    FreeBlock* last = batch;
    for (uint32_t i = 1; i < kBatch; ++i) last = last->next;
    pool.head = std::exchange(last->next, nullptr);
    pool.room += kBatch;
    return_to_depot(batch, pool_class);
  }
  block->next = pool.head;
  pool.head = block;
  --pool.room;
}

void trim_block_pools() {
  if (thread_state.caches != &empty_thread_caches) {
#ifndef EAGRE_NO_CACHES
    empty_lists(*thread_state.caches);
#endif
  }
  for (size_t pool_class = 0; pool_class < ThreadCaches::kPoolClasses; ++pool_class) {
    while (FreeBlock* list = take_from_depot(pool_class)) free_list(list, pool_class);
  }
}

}  // namespace eagre
