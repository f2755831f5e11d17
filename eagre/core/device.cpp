// The names of device kinds.
#include <eagre/core/device.h>

#include <charconv>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/core/text.h>

namespace eagre {
namespace {

struct KindNames {
  ForkMutex mutex;
  std::vector<std::string> names{"cpu", "meta"};
};
KindNames& kinds() {
  static KindNames& instance = *new KindNames;
  return instance;
}
const MadeAtLoad kKindsAtLoad(kinds);

}  // namespace

Device::Device(Text text) {
  const std::string_view name = text.substr(0, text.find(':'));
  bool index_is_good = true;
  if (name.size() < text.size()) {
    const char* end = text.data() + text.size();
    auto [last, problem] = std::from_chars(text.data() + name.size() + 1, end, number);
    index_is_good = problem == std::errc() && last == end && number >= 0;
  }
  std::string known;
  {
    std::lock_guard lock(kinds().mutex);
    const auto& names = kinds().names;
    for (size_t i = 0; i < names.size(); ++i) {
      if (index_is_good && names[i] == name) {
        kind = static_cast<DeviceKind>(i);
        if (is_cpu() || is_meta()) number = 0;  // there is one, whatever it is called
        return;
      }
      known.append(known.empty() ? "" : ", ").append(names[i]);
    }
  }
  const bool is_well_formed = index_is_good && !name.empty();
  raise(ErrorKind::kInvalidArgument,
        concat("'", text, "' is not a device: ",
               is_well_formed ? concat("no plug-in for the kind '", name, "' is loaded")
                              : "expected a kind and perhaps an index, like 'cpu' or 'cuda:0'",
               "; the kinds loaded here are: ", known,
               is_well_formed
                   ? concat(name == "cuda" ? ". There is no CUDA without a plug-in yet" : "",
                            ". Hint: use 'cpu', or load_device_plugin(path) loads one")
                   : ""));
}

std::string to_string(DeviceKind kind) {
  std::lock_guard lock(kinds().mutex);
  const auto& names = kinds().names;
  const auto index = static_cast<size_t>(kind);
  return index < names.size() ? names[index] : "unknown device";
}

std::string Device::str() const { return to_string(*this); }

bool Device::is_cuda() const { return !is_cpu() && !is_meta() && to_string(kind) == "cuda"; }

std::string to_string(Device device) {
  std::string text = to_string(device.kind);
  if (!device.is_cpu() && !device.is_meta()) text.append(":").append(std::to_string(device.number));
  return text;
}

DeviceKind register_device_kind(const std::string& name) {
  std::lock_guard lock(kinds().mutex);
  auto& names = kinds().names;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<DeviceKind>(i);
  }
  EAGRE_CHECK(names.size() < kMaxDeviceKinds, kInvalidArgument, "cannot add device kind '", name,
              "': at most ", kMaxDeviceKinds, " kinds of devices can be loaded");
  names.push_back(name);
  return static_cast<DeviceKind>(names.size() - 1);
}

}  // namespace eagre
