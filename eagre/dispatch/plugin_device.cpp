// Memory and streams of a plug-in's devices.
#include <eagre/dispatch/plugin_device.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/core/device.h>
#include <eagre/dispatch/device_plugin.h>
#include <eagre/dispatch/stream_ids.h>

namespace eagre::dispatch {

constinit thread_local StreamIds current_stream_ids;

namespace {
// Held while a stream of a pool is made, so that one thread makes it.
ForkMutex& making_streams() {
  static ForkMutex& instance = *new ForkMutex;
  return instance;
}
const MadeAtLoad kMakingStreamsAtLoad(making_streams);
}  // namespace

Plugin::~Plugin() {
  for (size_t i = 0; i < contexts_.size(); ++i) {
    api.destroy_stream(static_cast<int32_t>(i), contexts_[i].streams[0]);
  }
}

void* Plugin::allocate(size_t bytes, Device device) const {
  check_index(device);
  void* address = nullptr;
  const int32_t code = api.allocate(device.number, bytes, &address);
  EAGRE_CHECK(code == 0 && address != nullptr, kOutOfMemory, "out of memory on ", device,
              ": cannot allocate ", bytes, " bytes (code ", code, ")");
  return address;
}

void Plugin::free(void* data, size_t, Device device) const noexcept {
  if (lost_in_fork) return;  // the memory is the parent's
  wait_for_all(device);      // work that still uses the memory may be on any stream
  api.free(device.number, data);
}

void Plugin::copy(void* to, const void* from, size_t bytes, Device device) const {
  copy(to, device, from, device, bytes);
}

void Plugin::copy(void* to, Device to_device, const void* from, Device from_device,
                  size_t bytes) const {
  if (bytes == 0) return;
  EAGRE_INTERNAL_CHECK(to_device.is_cpu() || from_device.is_cpu() || to_device == from_device);
  const Device device = to_device.is_cpu() ? from_device : to_device;
  const EagreCopy direction = to_device.is_cpu()     ? EAGRE_DEVICE_TO_HOST
                              : from_device.is_cpu() ? EAGRE_HOST_TO_DEVICE
                                                     : EAGRE_DEVICE_TO_DEVICE;
  const int32_t code = api.copy(device.number, stream(device), to, from, bytes, direction);
  EAGRE_CHECK(code == 0, kDeviceLost, "copying ", bytes, " bytes from ", from_device, " to ",
              to_device, " failed with code ", code);
  const int32_t wait_code = wait_for(device, current_stream_ids.of(device));
  EAGRE_CHECK(wait_code == 0, kDeviceLost, device, ": work on a stream failed with code ",
              wait_code);
}

void Plugin::check_index(Device device) const {
  EAGRE_CHECK(device.number >= 0 && device.number < device_count, kInvalidArgument,
              "there is no device '", device, "': ", api.name, " has ", device_count, " device(s)");
  EAGRE_CHECK(!lost_in_fork.load(std::memory_order_relaxed), kDeviceLost, "the device '", device,
              "' cannot be used in this process, the child of a fork() after its plug-in was "
              "loaded. Hint: start the process anew (multiprocessing: 'spawn')");
}

int32_t Plugin::add_context() {
  void* stream = nullptr;
  const int32_t code = api.create_stream(static_cast<int32_t>(contexts_.size()), &stream);
  if (code == 0) contexts_.emplace_back().streams[0] = stream;
  return code;
}

int Plugin::next_stream(Device device) const {
  check_index(device);
  DeviceContext& pool = contexts_[static_cast<size_t>(device.number)];
  const int id = 1 + static_cast<int>(pool.handed_out++ % kStreamPoolSize);
  std::atomic<void*>& place = pool.streams[id];
  if (place.load(std::memory_order_acquire) != nullptr) return id;
  std::lock_guard lock(making_streams());
  if (place.load(std::memory_order_acquire) != nullptr) return id;
  void* stream = nullptr;
  const int32_t code = api.create_stream(device.number, &stream);
  EAGRE_CHECK(code == 0 && stream != nullptr, kDeviceLost, device,
              ": making a stream failed with code ", code);
  place.store(stream, std::memory_order_release);
  return id;
}

void* Plugin::stream(Device device, int id) const {
  check_index(device);
  return context(device).streams[id].load(std::memory_order_acquire);
}

int32_t Plugin::wait_for(Device device, int id) const {
  return api.synchronize_stream(device.number, stream(device, id));
}

int32_t Plugin::wait_for_all(Device device) const noexcept {
  if (lost_in_fork) return 0;
  int32_t first = 0;
  for (const std::atomic<void*>& place : context(device).streams) {
    void* stream = place.load(std::memory_order_acquire);
    if (stream == nullptr) continue;
    const int32_t code = api.synchronize_stream(device.number, stream);
    if (first == 0) first = code;
  }
  return first;
}

}  // namespace eagre::dispatch
