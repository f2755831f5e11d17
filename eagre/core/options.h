// What a factory function lets the user choose: dtype(kFloat64).device("cpu").requires_grad(true).
#pragma once

#include <concepts>
#include <optional>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/core/current_device.h>
#include <eagre/core/dtype.h>

namespace eagre {

// How elements are kept: there is one way.
enum class Layout : uint8_t { kStrided, Strided = kStrided };  // NOLINT: libtorch's spelling
constexpr Layout kStrided = Layout::kStrided;

// A dtype or a flag, or one that may be left out, and nothing that converts to either.
template <class T, class Value>
concept Chosen = std::same_as<T, Value> || std::same_as<T, std::optional<Value>>;
template <class T>
concept ChosenDType = Chosen<T, DType>;
template <class T>
concept ChosenBool = Chosen<T, bool>;

// A device by its name, which must be known: an error of the line that named it.
EAGRE_API Device device_named(std::string_view text, CallSite at);

class TensorOptions {
 public:
  TensorOptions() = default;
  // A dtype or a device alone is a choice.
  TensorOptions(DType dtype) : dtype_(dtype), has_dtype_(true) {}       // NOLINT
  TensorOptions(Device device) : has_device_(true), device_(device) {}  // NOLINT
  TensorOptions(Layout) {}                                              // NOLINT
  template <class T>
  requires std::convertible_to<const T&, std::string_view> TensorOptions(  // NOLINT
      const T& device, CallSite at = std::source_location::current())
      : TensorOptions(device_named(device, at)) {}
  // libtorch's parts one by one; what is empty is not chosen.
  static TensorOptions of(std::optional<DType> dtype, std::optional<Layout> /*layout*/,
                          std::optional<Device> device, std::optional<bool> pin_memory) {
    TensorOptions options;
    if (dtype) options = options.dtype(*dtype);
    if (device) options = options.device(*device);
    return options.pinned_memory(pin_memory.value_or(false));
  }

  TensorOptions dtype(DType value) const {
    TensorOptions copy = *this;
    copy.dtype_ = value;
    copy.has_dtype_ = true;
    return copy;
  }
  TensorOptions device(Device value) const {
    TensorOptions copy = *this;
    copy.device_ = value;
    copy.has_device_ = true;
    return copy;
  }
  template <class T>
  requires std::convertible_to<const T&, std::string_view> TensorOptions
  device(const T& text, CallSite at = std::source_location::current())
  const { return device(device_named(text, at)); }
  TensorOptions device(DeviceKind kind, int16_t index) const { return device(Device(kind, index)); }
  TensorOptions requires_grad(bool value = true) const {
    TensorOptions copy = *this;
    copy.requires_grad_ = value;
    return copy;
  }
  TensorOptions layout(Layout) const { return *this; }
  // Memory that devices copy from without waiting, of which no device has any yet: true is an
  // error.
  EAGRE_API TensorOptions pinned_memory(bool value) const;

  DType dtype() const { return has_dtype_ ? dtype_ : default_dtype(); }
  std::optional<DType> chosen_dtype() const {
    return has_dtype_ ? std::optional<DType>(dtype_) : std::nullopt;
  }
  // libtorch's names.
  bool has_dtype() const { return has_dtype_; }
  bool has_device() const { return has_device_; }
  std::optional<DType> dtype_opt() const { return chosen_dtype(); }
  std::optional<Device> device_opt() const { return chosen_device(); }
  // The one that was chosen, or the thread's.
  Device device() const { return has_device_ ? device_ : default_device(); }
  std::optional<Device> chosen_device() const {
    return has_device_ ? std::optional<Device>(device_) : std::nullopt;
  }
  Layout layout() const { return kStrided; }
  bool requires_grad_is_set() const { return requires_grad_; }

 private:
  // Not optionals: g++ warns about copies of an empty one, in the user's code.
  DType dtype_ = DType::kFloat32;
  bool has_dtype_ = false;
  bool has_device_ = false;
  bool requires_grad_ = false;
  Device device_;
};

inline TensorOptions dtype(DType value) { return TensorOptions().dtype(value); }
inline TensorOptions device(Device value) { return TensorOptions().device(value); }
template <class T>
requires std::convertible_to<const T&, std::string_view> TensorOptions
device(const T& text, CallSite at = std::source_location::current()) {
  return TensorOptions().device(text, at);
}
inline TensorOptions layout(Layout value) { return TensorOptions().layout(value); }
inline TensorOptions requires_grad(bool value = true) {
  return TensorOptions().requires_grad(value);
}

}  // namespace eagre
