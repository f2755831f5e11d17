// malloc for middle-sized blocks, mmap for large ones.
#include <eagre/core/system_memory.h>

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <eagre/base/small_file.h>

namespace eagre {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kPage = 4096;

#ifdef EAGRE_NO_CACHES
constexpr size_t kMappedBytes = std::numeric_limits<size_t>::max();  // sanitizers watch the heap
#else
constexpr size_t kMappedBytes = kHugePage;
#endif

size_t in_pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// One page before a border between huge pages, and the data from the border on.
void* map_aligned(size_t bytes, bool huge_pages) noexcept {
  const size_t length = kPage + in_pages(bytes);
  void* start =
      mmap(nullptr, length + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  const auto from = reinterpret_cast<uintptr_t>(start);
  const uintptr_t data = (from + kPage + kHugePage - 1) / kHugePage * kHugePage;
  const size_t before = data - kPage - from;
  if (before != 0) munmap(start, before);
  if (before != kHugePage) {
    munmap(static_cast<char*>(start) + before + length, kHugePage - before);
  }
  void* result = static_cast<char*>(start) + (data - from);
  if (huge_pages) madvise(result, in_pages(bytes), MADV_HUGEPAGE);
  return result;
}

// The first number of a file, or `missing`.
size_t number_in(const std::string& path, size_t missing) {
  const std::string text = read_small_file(path);
  char* end = nullptr;
  const size_t number = std::strtoull(text.c_str(), &end, 10);
  return end == text.c_str() ? missing : number;
}

}  // namespace

void* map_block(size_t bytes, bool huge_pages) noexcept {
  if (bytes >= kMappedBytes) return map_aligned(bytes, huge_pages);
#ifdef EAGRE_NO_CACHES
  const size_t rounded = bytes;  // so that a sanitizer sees the first byte behind
#else
  const size_t rounded = (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
#endif
  void* block = nullptr;
  if (rounded != bytes || rounded % kBlockAlignment == 0) {
    block = std::aligned_alloc(kBlockAlignment, rounded + kBlockAlignment);
  } else if (posix_memalign(&block, kBlockAlignment, rounded + kBlockAlignment) != 0) {
    block = nullptr;
  }
  return block == nullptr ? nullptr : static_cast<char*>(block) + kBlockAlignment;
}

void unmap_block(void* data, size_t bytes) noexcept {
  if (bytes >= kMappedBytes) {
    munmap(static_cast<char*>(data) - kPage, kPage + in_pages(bytes));
  } else {
    std::free(static_cast<char*>(data) - kBlockAlignment);
  }
}

size_t total_memory() {
  const auto pages = static_cast<size_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  const size_t machine = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // Inside a container its own group is usually mounted as the root.
  return std::min({machine, number_in("/sys/fs/cgroup/memory.max", machine),
                   number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", machine)});
}

}  // namespace eagre
