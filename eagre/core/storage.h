// The bytes behind tensors, with the version counter that in-place writes advance.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/core/device.h>

namespace eagre {

class Allocator;

// How often memory was written in place, and by whom last. Views share it with their base.
struct VersionCounter {
  std::atomic<uint32_t> value{0};
  std::atomic<uint32_t> last_site{0};
  std::atomic<const char*> last_op{nullptr};

  void bump(const char* op, uint32_t site) {
    last_op.store(op, std::memory_order_relaxed);
    last_site.store(site, std::memory_order_relaxed);
    // Concurrent writers race on the data as well; a lock prefix here would not help them.
    value.store(value.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};

// Memory that is not ours: called once when the last tensor on it is gone.
struct ForeignOwner {
  void (*release)(void* context) = nullptr;
  void* context = nullptr;
};

struct Storage {
  enum Flags : uint16_t {
    kEmbedded = 1,   // header and perhaps bytes live in a tensor's block, see tensor_impl.h
    kInline = 2,     // the bytes are in that block too
    kExported = 4,   // someone outside (NumPy, DLPack) sees the memory: never reuse it
    kForeign = 16,   // the bytes belong to someone else
    kMovedOut = 32,  // the bytes were in the block (`room` of them) until it became too small
  };

  std::atomic<uint32_t> refs{1};
  std::atomic<uint16_t> flags{0};
  std::atomic<uint16_t> parts{0};  // of an embedded storage's block: how many of impl, storage live
  void* data = nullptr;
  size_t bytes = 0;
  union {
    const Allocator* allocator = nullptr;  // of bytes that are neither inline nor foreign
    ForeignOwner* foreign;
  };
  Device device;
  uint32_t room = 0;  // see kMovedOut
  VersionCounter version;

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.load(std::memory_order_acquire) == 1 ||
        refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      destroy();
    }
  }
  bool has(Flags flag) const { return (flags.load(std::memory_order_relaxed) & flag) != 0; }
  void set(Flags flag) { flags.fetch_or(flag, std::memory_order_relaxed); }

  // Gives the bytes back; the header stays.
  EAGRE_API void free_data() noexcept;
  // Makes room for more bytes, keeping those that are there. Foreign and exported memory cannot
  // move: an error in the name of `op`.
  EAGRE_API void grow(const char* op, size_t bytes);

 private:
  EAGRE_API void destroy() noexcept;
};

static_assert(sizeof(Storage) == 56);

// A storage of its own on memory from outside.
EAGRE_API Storage* new_foreign_storage(void* data, size_t bytes, Device device, ForeignOwner owner);

}  // namespace eagre
