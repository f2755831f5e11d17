// Which stream of each device this thread uses, by number; stream.h is the public side of it.
#pragma once

#include <cstdint>

#include <eagre/core/device.h>

namespace eagre::dispatch {

constexpr int kStreamPoolSize =
    8;  // streams of a device besides the default one, whose number is 0

struct StreamIds {
  static constexpr int kDevices = 16;  // of a kind; those beyond keep to their default stream

  int of(Device device) const {
    return has(device) ? ids[static_cast<size_t>(device.kind)][device.number] : 0;
  }
  void set(Device device, int id) {
    if (has(device))
      ids[static_cast<size_t>(device.kind)][device.number] = static_cast<uint8_t>(id);
  }
  static bool has(Device device) {
    return !device.is_cpu() && !device.is_meta() && device.number < kDevices;
  }

  uint8_t ids[kMaxDeviceKinds][kDevices] = {};
};

// Plain bytes: nothing to be made or destroyed with the thread.
extern constinit thread_local StreamIds current_stream_ids;

}  // namespace eagre::dispatch
