// Streams and events over the functions of plug-ins.
#include <eagre/dispatch/stream.h>

#include <cstdint>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/device.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/plugin_device.h>
#include <eagre/dispatch/stream_ids.h>

namespace eagre {
namespace {

using dispatch::Plugin;
using dispatch::plugin_of;

using dispatch::current_stream_ids;
using dispatch::StreamIds;

bool works_at_once(Device device) { return device.is_cpu() || device.is_meta(); }

void check(int32_t code, Device device, const char* what) {
  EAGRE_CHECK(code == 0, kDeviceLost, device, ": ", what, " failed with code ", code);
}

}  // namespace

// --- streams ---

Stream::Stream(Device device) : device_(device) {
  dispatch::check_device(device);
  if (works_at_once(device)) return;
  EAGRE_CHECK(StreamIds::has(device), kUnimplemented, device, ": only the first ",
              StreamIds::kDevices, " devices of a kind have streams besides the default one");
  id_ = plugin_of(device).next_stream(device);
}

Stream Stream::default_of(Device device) {
  dispatch::check_device(device);
  return {device, 0};
}

Stream Stream::of_id(Device device, int id) {
  dispatch::check_device(device);
  EAGRE_CHECK(id >= 0 && id <= kPoolSize, kInvalidArgument, device, ": there is no stream ", id);
  return {device, works_at_once(device) ? 0 : id};
}

void Stream::synchronize() const {
  if (works_at_once(device_)) return;
  check(plugin_of(device_).wait_for(device_, id_), device_, "work on a stream");
}

Stream CurrentStreams::of(Device device) const { return Stream::of_id(device, ids_.of(device)); }
CurrentStreams CurrentStreams::of_this_thread() {
  CurrentStreams streams;
  streams.ids_ = current_stream_ids;
  return streams;
}
void CurrentStreams::make_current() const { current_stream_ids = ids_; }

Stream current_stream(Device device) {
  return Stream::of_id(device, current_stream_ids.of(device));
}

void set_current_stream(const Stream& stream) {
  current_stream_ids.set(stream.device(), stream.id());
}

StreamGuard::~StreamGuard() { set_current_stream(outer_); }

// --- events ---

Event::~Event() {
  if (handle_ != nullptr) plugin_of(device_).api.destroy_event(device_.number, handle_);
}

void Event::swap(Event& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(handle_, other.handle_);
  std::swap(recorded_, other.recorded_);
}

void Event::record(const Stream& stream) {
  const Device device = stream.device();
  EAGRE_CHECK((!recorded_ && handle_ == nullptr) || device_ == device, kInvalidArgument,
              "Event::record(): the event belongs to ", device_, ", but the stream is on ", device,
              ". Hint: use an event per device");
  if (!works_at_once(device)) {
    const Plugin& plugin = plugin_of(device);
    if (!plugin.has_events()) {
      stream.synchronize();
    } else {
      if (handle_ == nullptr) {
        check(plugin.api.create_event(device.number, &handle_), device, "making an event");
        device_ = device;
      }
      check(plugin.api.record_event(device.number, handle_, plugin.stream(device, stream.id())),
            device, "recording an event");
    }
  }
  device_ = device;
  recorded_ = true;
}

void Event::wait(const Stream& stream) const {
  if (handle_ == nullptr) return;
  if (stream.device() != device_) return synchronize();
  const Plugin& plugin = plugin_of(device_);
  check(plugin.api.wait_event(device_.number, handle_, plugin.stream(device_, stream.id())),
        device_, "waiting for an event");
}

void Event::synchronize() const {
  if (handle_ == nullptr) return;
  check(plugin_of(device_).api.synchronize_event(device_.number, handle_), device_,
        "work before an event");
}

bool Event::query() const {
  if (handle_ == nullptr) return true;
  int32_t done = 0;
  check(plugin_of(device_).api.query_event(device_.number, handle_, &done), device_,
        "asking for an event");
  return done != 0;
}

}  // namespace eagre
