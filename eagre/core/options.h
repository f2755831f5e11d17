// What a factory function lets the user choose: dtype(kFloat64).device("cpu").requires_grad(true).
#pragma once

#include <optional>

#include <eagre/core/current_device.h>
#include <eagre/core/dtype.h>

namespace eagre {

class TensorOptions {
 public:
  TensorOptions() = default;
  // A dtype or a device alone is a choice.
  TensorOptions(DType dtype) : dtype_(dtype), has_dtype_(true) {}       // NOLINT
  TensorOptions(Device device) : has_device_(true), device_(device) {}  // NOLINT

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
  TensorOptions requires_grad(bool value = true) const {
    TensorOptions copy = *this;
    copy.requires_grad_ = value;
    return copy;
  }

  DType dtype() const { return has_dtype_ ? dtype_ : default_dtype(); }
  std::optional<DType> chosen_dtype() const {
    return has_dtype_ ? std::optional<DType>(dtype_) : std::nullopt;
  }
  // The one that was chosen, or the thread's.
  Device device() const { return has_device_ ? device_ : default_device(); }
  std::optional<Device> chosen_device() const {
    return has_device_ ? std::optional<Device>(device_) : std::nullopt;
  }
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
inline TensorOptions requires_grad(bool value = true) {
  return TensorOptions().requires_grad(value);
}

}  // namespace eagre
