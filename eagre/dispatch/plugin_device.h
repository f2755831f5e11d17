// A loaded plug-in as the dispatch layer sees it: its functions, and per device a context with the
// default stream and a pool of others.
#pragma once

#include <atomic>
#include <deque>
#include <string>

#include <eagre/core/allocator.h>
#include <eagre/dispatch/device_plugin.h>
#include <eagre/dispatch/stream_ids.h>

namespace eagre::dispatch {

struct DeviceContext {
  // The default stream, then the pool's, null until first asked for; none is destroyed.
  std::atomic<void*> streams[kStreamPoolSize + 1] = {};
  std::atomic<unsigned> handed_out{0};
};

// Once loaded it is never destroyed: tensors on its devices may outlive everything.
class Plugin final : public Allocator {
 public:
  std::string path;
  EagreDeviceApi api = {};
  DeviceKind kind = DeviceKind::kCpu;
  int32_t device_count = 0;
  std::string refused;  // kernels that it lacks, with the reasons
  // fork() happened since: the threads and handles behind the plug-in are the parent's.
  std::atomic<bool> lost_in_fork{false};

  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  // Only of one that was refused.
  ~Plugin();

  void* allocate(size_t bytes, Device device) const override;
  void free(void* data, size_t, Device device) const noexcept override;
  void copy(void* to, const void* from, size_t bytes, Device device) const override;
  // One of the two places may be in host memory.
  void copy(void* to, Device to_device, const void* from, Device from_device, size_t bytes) const;
  void check_index(Device device) const;
  bool has_events() const { return api.create_event != nullptr; }

  // Makes the context of the next device; the plug-in's code when it has no stream.
  int32_t add_context();
  // The next stream of the pool, made if it is not there yet.
  int next_stream(Device device) const;
  void* stream(Device device, int id) const;
  // The one that this thread uses.
  void* stream(Device device) const { return stream(device, current_stream_ids.of(device)); }
  // Waits for one stream, or for all of the device; the first code that is not 0.
  int32_t wait_for(Device device, int id) const;
  int32_t wait_for_all(Device device) const noexcept;

 private:
  const DeviceContext& context(Device device) const {
    return contexts_[static_cast<size_t>(device.number)];
  }
  mutable std::deque<DeviceContext> contexts_;  // a deque: they do not move
};

// Has any plug-in been loaded? Without one there is nothing but the CPU to think of.
bool any_plugin();
// The plug-in of the device, which must be loaded.
const Plugin& plugin_of(Device device);

}  // namespace eagre::dispatch
