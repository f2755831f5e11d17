// Host memory, and the table of allocators.
#include <eagre/core/allocator.h>

#include <atomic>
#include <cstdlib>

#include <eagre/base/error.h>

namespace eagre {
namespace {

constexpr size_t kAlignment = 64;

class HostAllocator final : public Allocator {
 public:
  void* allocate(size_t bytes, Device) const override {
    const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    void* data = rounded < bytes ? nullptr : std::aligned_alloc(kAlignment, rounded);
    EAGRE_CHECK(data != nullptr, kOutOfMemory, "out of host memory: cannot allocate ", bytes,
                " bytes");
    return data;
  }
  void free(void* data, size_t, Device) const noexcept override { std::free(data); }
};

// Tensors without data need no memory.
class MetaAllocator final : public Allocator {
 public:
  void* allocate(size_t, Device) const override { return nullptr; }
  void free(void*, size_t, Device) const noexcept override {}
};

constinit HostAllocator host_allocator;
constinit MetaAllocator meta_allocator;
constinit std::atomic<const Allocator*> allocators[kMaxDeviceKinds] = {&host_allocator,
                                                                       &meta_allocator};

}  // namespace

const Allocator& allocator_for(Device device) {
  const Allocator* found = allocators[static_cast<size_t>(device.kind)].load();
  EAGRE_CHECK(found != nullptr, kNotFound, "there is no device '", device,
              "': its plug-in is not loaded");
  return *found;
}

void set_allocator(DeviceKind kind, const Allocator* allocator) {
  allocators[static_cast<size_t>(kind)] = allocator;
}

}  // namespace eagre
