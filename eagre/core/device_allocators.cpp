// The table of allocators.
#include <eagre/core/device_allocators.h>

#include <atomic>
#include <cstddef>

#include <eagre/base/error.h>
#include <eagre/core/allocator.h>
#include <eagre/core/caching_allocator.h>
#include <eagre/core/device.h>

namespace eagre {
namespace {

// Tensors without data need no memory.
class MetaAllocator final : public Allocator {
 public:
  void* allocate(size_t, Device) const override { return nullptr; }
  void free(void*, size_t, Device) const noexcept override {}
  void copy(void*, const void*, size_t, Device) const override {}
};

constinit MetaAllocator meta_allocator;
// The CPU's is null until it is asked for the first time.
constinit std::atomic<const Allocator*> allocators[kMaxDeviceKinds] = {nullptr, &meta_allocator};

}  // namespace

const Allocator& allocator_for(Device device) {
  const Allocator* found = allocators[static_cast<size_t>(device.kind)].load();
  if (found != nullptr) [[likely]]
    return *found;
  EAGRE_CHECK(device.is_cpu(), kNotFound, "there is no device '", device,
              "': its plug-in is not loaded");
  return CachingAllocator::get();
}

void set_allocator(DeviceKind kind, const Allocator* allocator) {
  allocators[static_cast<size_t>(kind)] = allocator;
}

}  // namespace eagre
