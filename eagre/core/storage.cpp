// Making and releasing storages.
#include <eagre/core/storage.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include <eagre/base/block_pool.h>
#include <eagre/base/error.h>
#include <eagre/core/device_allocators.h>

namespace eagre {

void Storage::free_data() noexcept {
  const uint16_t state = flags.load(std::memory_order_relaxed);
  if ((state & kForeign) != 0) {
    if (foreign->release != nullptr) foreign->release(foreign->context);
    delete foreign;
  } else if ((state & kInline) == 0 && data != nullptr) {
    allocator->free(data, bytes, device);
  }
}

void Storage::grow(const char* op, size_t wanted) {
  if (wanted <= bytes) return;
  EAGRE_CHECK(!has(kForeign) && !has(kExported), kInvalidArgument, op,
              "(): the memory of this tensor is shared with someone outside (an array, say) and "
              "cannot grow from ",
              bytes, " to ", wanted, " bytes. Hint: clone() it first");
  const Allocator& source = allocator_for(device);
  void* const larger = source.allocate(wanted, device);
  if (bytes != 0) {
    try {
      source.copy(larger, data, bytes, device);
    } catch (...) {  // of a device; this storage is as it was
      source.free(larger, wanted, device);
      throw;
    }
  }
  if (has(kInline)) {
    room = static_cast<uint32_t>(bytes);
    set(kMovedOut);
    flags.fetch_and(static_cast<uint16_t>(~kInline), std::memory_order_relaxed);
  } else {
    free_data();
  }
  allocator = &source;
  data = larger;
  bytes = wanted;
}

Storage* new_foreign_storage(void* data, size_t bytes, Device device, ForeignOwner owner) {
  auto foreign = std::make_unique<ForeignOwner>(owner);
  auto* storage = new (allocate_block(sizeof(Storage))) Storage;
  storage->flags.store(Storage::kForeign, std::memory_order_relaxed);
  storage->data = data;
  storage->bytes = bytes;
  storage->foreign = foreign.release();
  storage->device = device;
  return storage;
}

}  // namespace eagre
