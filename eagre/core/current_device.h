// The device on which this thread makes new tensors when none is named.
#pragma once

#include <bit>

#include <eagre/base/thread_state.h>
#include <eagre/core/device.h>

namespace eagre {

static_assert(sizeof(Device) == sizeof(uint32_t));

inline Device default_device() { return std::bit_cast<Device>(thread_state.modes.device); }
// For this thread. The device must exist.
EAGRE_API void set_default_device(Device device);

// While in scope, new tensors of this thread are made on `device`.
class EAGRE_API DeviceGuard {
 public:
  explicit DeviceGuard(Device device) : outer_(default_device()) { set_default_device(device); }
  ~DeviceGuard() { thread_state.modes.device = std::bit_cast<uint32_t>(outer_); }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  Device outer_;
};

}  // namespace eagre
