// What a factory function lets the user choose: dtype(kFloat64).device("cpu").requires_grad(true).
#pragma once

#include <optional>

#include <eagre/core/device.h>
#include <eagre/core/dtype.h>

namespace eagre {

class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(DType dtype) : dtype_(dtype) {}  // NOLINT: a dtype alone is a choice

  TensorOptions dtype(DType value) const { return with(&TensorOptions::dtype_, value); }
  TensorOptions device(Device value) const { return with(&TensorOptions::device_, value); }
  TensorOptions requires_grad(bool value = true) const {
    return with(&TensorOptions::requires_grad_, value);
  }

  DType dtype() const { return dtype_.value_or(default_dtype()); }
  std::optional<DType> chosen_dtype() const { return dtype_; }
  Device device() const { return device_.value_or(Device()); }
  std::optional<Device> chosen_device() const { return device_; }
  bool requires_grad_is_set() const { return requires_grad_; }

 private:
  template <class Member, class Value>
  TensorOptions with(Member member, const Value& value) const {
    TensorOptions copy = *this;
    copy.*member = value;
    return copy;
  }

  std::optional<DType> dtype_;
  std::optional<Device> device_;
  bool requires_grad_ = false;
};

inline TensorOptions dtype(DType value) { return TensorOptions().dtype(value); }
inline TensorOptions device(Device value) { return TensorOptions().device(value); }
inline TensorOptions requires_grad(bool value = true) {
  return TensorOptions().requires_grad(value);
}

}  // namespace eagre
