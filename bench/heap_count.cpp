// Counts heap calls and locks of a program: LD_PRELOAD this library and name a file in
// BENCH_HEAP_OUT.
//
// At exit it writes "calls <n> peak_bytes <n> locks <n>". Calls are those of malloc and its family
// plus mmap made outside the C library (a caching allocator may go straight to it). Bytes include
// the 8-byte header of each glibc block. Locks are those of mutexes, taken outside the C library.
// Linked without libstdc++: nothing here may allocate.

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

// The C library's own entries under the names that we take over.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

namespace {

constexpr size_t kHeaderBytes = 8;

size_t calls = 0;
size_t live_bytes = 0;
size_t peak_bytes = 0;
size_t locks = 0;

void count_call() { __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED); }

void grow(size_t bytes) {
  const size_t now = __atomic_add_fetch(&live_bytes, bytes, __ATOMIC_RELAXED);
  size_t peak = __atomic_load_n(&peak_bytes, __ATOMIC_RELAXED);
  while (now > peak && !__atomic_compare_exchange_n(&peak_bytes, &peak, now, true, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {
  }
}

void shrink(size_t bytes) { __atomic_fetch_sub(&live_bytes, bytes, __ATOMIC_RELAXED); }

void* counted(void* block) {
  count_call();
  if (block != nullptr) grow(malloc_usable_size(block) + kHeaderBytes);
  return block;
}

void forget(void* block) {
  if (block != nullptr) shrink(malloc_usable_size(block) + kHeaderBytes);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

__attribute__((destructor)) void report() {
  const char* path = getenv("BENCH_HEAP_OUT");
  if (path == nullptr) return;
  const size_t total = __atomic_load_n(&calls, __ATOMIC_RELAXED);
  const size_t peak = __atomic_load_n(&peak_bytes, __ATOMIC_RELAXED);
  const size_t locked = __atomic_load_n(&locks, __ATOMIC_RELAXED);
  if (FILE* file = fopen(path, "w")) {
    fprintf(file, "calls %zu peak_bytes %zu locks %zu\n", total, peak, locked);
    fclose(file);
  }
}

}  // namespace

extern "C" {

void* malloc(size_t size) { return counted(__libc_malloc(size)); }

void* calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void* realloc(void* block, size_t size) {
  forget(block);
  return counted(__libc_realloc(block, size));
}

void* memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

void free(void* block) {
  if (block == nullptr) return;
  count_call();
  forget(block);
  __libc_free(block);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static const auto real = next<decltype(&pthread_mutex_lock)>("pthread_mutex_lock");
  __atomic_fetch_add(&locks, 1, __ATOMIC_RELAXED);
  return real(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  static const auto real = next<decltype(&pthread_mutex_trylock)>("pthread_mutex_trylock");
  __atomic_fetch_add(&locks, 1, __ATOMIC_RELAXED);
  return real(mutex);
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) {
  static const auto real = next<decltype(&mmap)>("mmap");
  void* block = real(address, size, protection, flags, file, offset);
  if (block != MAP_FAILED) {
    count_call();
    grow(size);
  }
  return block;
}

int munmap(void* address, size_t size) {
  static const auto real = next<decltype(&munmap)>("munmap");
  const int status = real(address, size);
  if (status == 0) {
    count_call();
    shrink(size);
  }
  return status;
}
}
