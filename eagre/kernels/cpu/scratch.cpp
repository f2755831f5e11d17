// The buffers of each thread; they go when the thread ends.
#include <eagre/kernels/cpu/scratch.h>

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>

#include <eagre/base/error.h>

namespace eagre::kernels::cpu {
namespace {

struct Buffers {
  void* data[kScratchCount] = {};
  size_t bytes[kScratchCount] = {};

  ~Buffers() { clear(); }
  void clear() {
    for (size_t i = 0; i < kScratchCount; ++i) {
      std::free(data[i]);
      data[i] = nullptr;
      bytes[i] = 0;
    }
  }
};

thread_local Buffers buffers;

// Large buffers are read across: with small pages, finding these would take longer than reading.
void* allocate(size_t bytes) {
  constexpr size_t kLine = 64, kHugePage = size_t{2} << 20;
  const size_t unit = bytes >= kHugePage / 2 ? kHugePage : kLine;
  const size_t whole = (bytes + unit - 1) / unit * unit;
  void* data = std::aligned_alloc(unit, whole);
  if (data != nullptr && unit == kHugePage) madvise(data, whole, MADV_HUGEPAGE);
  return data;
}

}  // namespace

void* scratch(Scratch use, size_t bytes) {
  const auto i = static_cast<size_t>(use);
  if (buffers.bytes[i] >= bytes) return buffers.data[i];
  std::free(buffers.data[i]);
  buffers.bytes[i] = 0;
  buffers.data[i] = allocate(bytes);
  if (buffers.data[i] == nullptr) {
    raise(ErrorKind::kOutOfMemory, concat("no memory for ", bytes, " bytes of working space"));
  }
  buffers.bytes[i] = bytes;
  return buffers.data[i];
}

void trim_scratch() { buffers.clear(); }

}  // namespace eagre::kernels::cpu
