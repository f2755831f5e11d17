// Choosing the device of new tensors.
#include <eagre/core/current_device.h>

#include <bit>
#include <cstdint>

#include <eagre/base/thread_state.h>
#include <eagre/core/device_allocators.h>

namespace eagre {

static_assert(std::bit_cast<uint32_t>(Device()) == 0, "a thread begins on the CPU");

void set_default_device(Device device) {
  allocator_for(device);  // raises if its plug-in is not loaded
  thread_state.modes.device = std::bit_cast<uint32_t>(device);
}

}  // namespace eagre
