// What a factory function lets the user choose: the parts that can fail.
#include <eagre/core/options.h>

#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/device.h>

namespace eagre {

Device device_named(std::string_view text, CallSite at) {
  const SiteScope scope(at);
  return Device(text);
}

TensorOptions TensorOptions::pinned_memory(bool value) const {
  EAGRE_CHECK(!value, kUnimplemented, "pinned_memory(): no device has pinned host memory yet");
  return *this;
}

}  // namespace eagre
