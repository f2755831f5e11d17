// The buffers of each thread; they go when the thread ends.
#include <eagre/kernels/cpu/scratch.h>

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

}  // namespace

void* scratch(Scratch use, size_t bytes) {
  const auto i = static_cast<size_t>(use);
  if (buffers.bytes[i] >= bytes) return buffers.data[i];
  std::free(buffers.data[i]);
  buffers.bytes[i] = 0;
  buffers.data[i] = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (buffers.data[i] == nullptr) {
    raise(ErrorKind::kOutOfMemory, concat("no memory for ", bytes, " bytes of working space"));
  }
  buffers.bytes[i] = bytes;
  return buffers.data[i];
}

void trim_scratch() { buffers.clear(); }

}  // namespace eagre::kernels::cpu
