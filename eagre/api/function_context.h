// What forward and backward of a custom function are handed: where the one leaves things for the
// other.
#pragma once

#include <any>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/function/custom_function.h>

namespace eagre::autograd {

using Variable = Tensor;
using tensor_list = variable_list;

// A value that forward left: a number, text, a tensor, or anything that can be copied.
class SavedValue {
 public:
  SavedValue() = default;
  template <class T>
  SavedValue(T value) : value_(kept(std::move(value))) {}  // NOLINT: saved_data["n"] = 3
  SavedValue(const Scalar& value)                          // NOLINT: as the number that it is
      : value_(value.isBoolean()         ? std::any(value.toBool())
               : value.isIntegral(false) ? std::any(value.toLong())
               : value.isFloatingPoint() ? std::any(value.toDouble())
                                         : std::any(value)) {}
  template <class T>
  SavedValue(const std::optional<T>& value) {  // NOLINT
    if (value) value_ = kept(*value);
  }

  // The value as it was left. Asking for another type is an error; numbers convert.
  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, bool>) {
      return toBool();
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(toInt());
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(toDouble());
    } else {
      if (const T* value = std::any_cast<T>(&value_)) return *value;
      raise_other_type(typeid(T).name());
    }
  }
  // libtorch's names. NOLINTBEGIN(readability-identifier-naming)
  EAGRE_API bool toBool() const;
  EAGRE_API int64_t toInt() const;
  EAGRE_API double toDouble() const;
  Tensor toTensor() const { return to<Tensor>(); }
  std::string toStringRef() const { return to<std::string>(); }
  std::vector<int64_t> toIntVector() const { return to<std::vector<int64_t>>(); }
  std::vector<double> toDoubleVector() const { return to<std::vector<double>>(); }
  variable_list toTensorVector() const { return to<variable_list>(); }
  Scalar toScalar() const {
    if (holds<Scalar>()) return to<Scalar>();
    return isDouble() ? Scalar(toDouble()) : isBool() ? Scalar(toBool()) : Scalar(toInt());
  }
  bool isNone() const { return !value_.has_value(); }
  bool isBool() const { return holds<bool>(); }
  bool isInt() const { return holds<int64_t>(); }
  bool isDouble() const { return holds<double>(); }
  bool isTensor() const { return holds<Tensor>(); }
  bool isString() const { return holds<std::string>(); }
  template <class T>
  std::optional<T> toOptional() const {
    return isNone() ? std::nullopt : std::optional<T>(to<T>());
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  template <class T>
  bool holds() const {
    return std::any_cast<T>(&value_) != nullptr;
  }
  template <class T>
  static auto kept(T value) {  // NOLINT(performance-unnecessary-value-param): it is moved
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      return static_cast<int64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      return double{value};
    } else if constexpr (std::is_convertible_v<T, const char*> ||
                         std::is_base_of_v<std::string_view, T>) {
      return std::string(value);
    } else if constexpr (std::is_same_v<T, TensorList>) {
      return variable_list(value.begin(), value.end());
    } else {
      return value;
    }
  }
  // What lists refer to may be gone by the time they are read: they are copied.
  template <class T>
  static std::vector<std::remove_const_t<T>> kept(Span<T> list) {
    return list.vec();
  }
  [[noreturn]] EAGRE_API void raise_other_type(const char* wanted) const;

  std::any value_;
};

class AutogradContext {
 public:
  // Tensors for backward: inputs, outputs or others; checked for writes, and through the hooks of
  // saved tensors. Call it once.
  void save_for_backward(const variable_list& tensors) {
    marks_.to_save.assign(tensors.begin(), tensors.end());
  }
  // The same for jvp, which sees those for backward if this is not called.
  void save_for_forward(const variable_list& tensors) {
    marks_.to_save_forward.assign(tensors.begin(), tensors.end());
  }
  // Those tensors again, in backward and in jvp.
  EAGRE_API variable_list get_saved_variables() const;
  std::unordered_map<std::string, SavedValue> saved_data;

  // In forward: inputs that it writes in place; they must be returned too.
  void mark_dirty(const variable_list& inputs) {
    marks_.dirty.assign(inputs.begin(), inputs.end());
  }
  // In forward: outputs that never require a gradient.
  void mark_non_differentiable(const variable_list& outputs) {
    marks_.non_differentiable.assign(outputs.begin(), outputs.end());
  }
  // In forward: false hands backward undefined tensors for gradients that are not there.
  void set_materialize_grads(bool value) { marks_.materialize = value; }
  // Is the gradient of this tensor argument of forward wanted? In backward: by this call of it.
  EAGRE_API bool needs_input_grad(size_t input) const;

 private:
  template <class T>
  friend class Function;
  template <class T>
  friend class FunctionNode;
  template <class T>
  friend class FunctionCall;

  CustomMarks marks_;
  std::vector<bool> needs_;
  CustomNode* node_ = nullptr;             // which owns this; null in forward and jvp
  const TensorVector* for_jvp_ = nullptr;  // what it sees as saved
};

// The name of a function, from that of its type.
EAGRE_API std::string function_name(const char* type_name);

}  // namespace eagre::autograd
