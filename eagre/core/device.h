// Where data lives: a kind (cpu, or the name of a plug-in) and an index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <eagre/base/export.h>
#include <eagre/core/text.h>

namespace eagre {

// A dense number, so that tables can be indexed by it. Plug-ins get theirs when they are loaded.
// `meta` tensors have a shape and a dtype, but no data.
enum class DeviceKind : uint16_t {
  kCpu = 0,
  kMeta = 1,
  CPU = kCpu,    // NOLINT: libtorch's spellings
  Meta = kMeta,  // NOLINT
};
constexpr size_t kMaxDeviceKinds = 16;

struct Device {
  DeviceKind kind = DeviceKind::kCpu;
  int16_t number = 0;  // among those of its kind

  constexpr Device() = default;
  constexpr Device(DeviceKind device_kind, int16_t device_index = 0)  // NOLINT
      : kind(device_kind), number(device_index) {}
  // "cpu", "sim", "sim:1"; an unknown kind is an error that lists the known ones.
  EAGRE_API Device(Text text);  // NOLINT
  template <class T>
  requires std::convertible_to<const T&, std::string_view> Device(const T& text)  // NOLINT
      : Device(Text(text)) {}

  // As libtorch asks.
  constexpr DeviceKind type() const { return kind; }
  constexpr int16_t index() const { return number; }
  constexpr bool has_index() const { return !is_cpu() && !is_meta(); }
  EAGRE_API std::string str() const;
  EAGRE_API bool is_cuda() const;
  constexpr operator DeviceKind() const { return kind; }  // NOLINT: DeviceType d = kCPU
  constexpr bool is_cpu() const { return kind == DeviceKind::kCpu; }
  constexpr bool is_meta() const { return kind == DeviceKind::kMeta; }
  constexpr bool operator==(const Device&) const = default;
  constexpr bool operator==(DeviceKind other) const { return kind == other; }
  // Devices have no order; their kinds, which they convert to, would be compared.
  friend bool operator<(Device, Device) = delete;
  friend bool operator>(Device, Device) = delete;
  friend bool operator<=(Device, Device) = delete;
  friend bool operator>=(Device, Device) = delete;
};
constexpr Device kCPU{};
constexpr Device kMeta{DeviceKind::kMeta};

EAGRE_API std::string to_string(Device device);
EAGRE_API std::string to_string(DeviceKind kind);

// The number of a kind, new or known. For plug-ins.
EAGRE_API DeviceKind register_device_kind(const std::string& name);

}  // namespace eagre
