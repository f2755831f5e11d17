// Replaces the allocation functions of the C library for this program.
#include "cpp/heap/counting_malloc.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

// NOLINTBEGIN: the names are the C library's
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}
// NOLINTEND

namespace eagre::test {
namespace {

constinit thread_local HeapCounts counts;
constinit thread_local uint64_t fuse = 0;

bool refused() {
  ++counts.calls;
  if (fuse == 0) return false;
  if (fuse > 1) {
    --fuse;
    return false;
  }
  ++counts.refused;
  errno = ENOMEM;
  return true;
}

void* counted(void* block) {
  if (block != nullptr) ++counts.live;
  return block;
}

}  // namespace

HeapCounts heap_counts() { return counts; }
void fail_heap_call(uint64_t n) { fuse = n; }

}  // namespace eagre::test

extern "C" {
void* malloc(size_t bytes) {
  using namespace eagre::test;
  return refused() ? nullptr : counted(__libc_malloc(bytes));
}
void* calloc(size_t n, size_t bytes) {
  using namespace eagre::test;
  return refused() ? nullptr : counted(__libc_calloc(n, bytes));
}
void* realloc(void* old, size_t bytes) {
  using namespace eagre::test;
  if (refused()) return nullptr;
  if (old == nullptr) return counted(__libc_realloc(old, bytes));
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  using namespace eagre::test;
  return refused() ? nullptr : counted(__libc_memalign(alignment, bytes));
}
void free(void* block) {
  if (block != nullptr) --eagre::test::counts.live;
  __libc_free(block);
}
}
