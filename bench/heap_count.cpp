// Counts heap calls and locks of a program: LD_PRELOAD this library and name a file in
// BENCH_HEAP_OUT.
//
// At exit it writes "calls <n> peak_bytes <n> locks <n>". Calls are those of malloc and its family
// plus mmap made outside the C library (a caching allocator may go straight to it). The bytes are
// the most memory that was in use at once. Locks are those of mutexes, taken outside the C library.
// Linked without libstdc++: nothing here may allocate.

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

size_t calls = 0;
size_t locks = 0;

void count_call() { __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED); }

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// What the system says of this program: "VmHWM:  1234 kB" in a list of such lines.
size_t most_resident() {
  FILE* file = fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  constexpr char kName[] = "VmHWM:";
  size_t kilobytes = 0;
  while (kilobytes == 0 && fgets(line, sizeof line, file) != nullptr) {
    if (strncmp(line, kName, sizeof kName - 1) == 0) {
      kilobytes = strtoul(line + sizeof kName - 1, nullptr, 10);
    }
  }
  fclose(file);
  return kilobytes * 1024;
}

__attribute__((destructor)) void report() {
  const char* path = getenv("BENCH_HEAP_OUT");
  if (path == nullptr) return;
  const size_t total = __atomic_load_n(&calls, __ATOMIC_RELAXED);
  const size_t peak = most_resident();
  const size_t locked = __atomic_load_n(&locks, __ATOMIC_RELAXED);
  if (FILE* file = fopen(path, "w")) {
    fprintf(file, "calls %zu peak_bytes %zu locks %zu\n", total, peak, locked);
    fclose(file);
  }
}

}  // namespace

extern "C" {

void* malloc(size_t size) {
  count_call();
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  count_call();
  return __libc_calloc(count, size);
}

void* realloc(void* block, size_t size) {
  count_call();
  return __libc_realloc(block, size);
}

void* memalign(size_t alignment, size_t size) {
  count_call();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

void free(void* block) {
  if (block == nullptr) return;
  count_call();
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
  if (block != MAP_FAILED) count_call();
  return block;
}

int munmap(void* address, size_t size) {
  static const auto real = next<decltype(&munmap)>("munmap");
  const int status = real(address, size);
  if (status == 0) count_call();
  return status;
}
}
