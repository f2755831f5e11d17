// The arguments and results of custom operators, whose types are known only at run time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <eagre/api/tensor.h>
#include <eagre/core/scalar.h>

namespace eagre {

// What an operator gives: one tensor or several.
class OpResults {
 public:
  OpResults(Tensor single) : tensors_{std::move(single)} {}                 // NOLINT: as returned
  OpResults(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {}  // NOLINT
  OpResults(std::initializer_list<Tensor> tensors) : tensors_(tensors) {}
  template <class... T>
  OpResults(const std::tuple<T...>& results)  // NOLINT
      : tensors_(
            std::apply([](const T&... each) { return std::vector<Tensor>{each...}; }, results)) {}

  // The only one; an error where there are several.
  EAGRE_API operator Tensor() const;                         // NOLINT
  operator std::vector<Tensor>() const { return tensors_; }  // NOLINT
  const std::vector<Tensor>& tensors() const { return tensors_; }
  size_t size() const { return tensors_.size(); }
  EAGRE_API const Tensor& operator[](size_t i) const;
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }

 private:
  std::vector<Tensor> tensors_;
};

// In the order of the alternatives of OpValue.
enum class ValueKind : uint8_t { kNone, kTensor, kTensors, kNumber, kText, kInts, kDType };

// One argument: whatever a signature can ask for. Undefined tensors, empty optionals and null
// pointers are none.
class OpValue {
 public:
  OpValue() = default;
  OpValue(std::nullopt_t) {}  // NOLINT: as written
  // Not inline, or g++ sees an alternative that is not there and warns in the user's code.
  EAGRE_API OpValue(const TensorBase& tensor);  // NOLINT
  EAGRE_API OpValue(const char* text);          // NOLINT
  // Calls nest where the inner operator has one result.
  OpValue(const OpResults& results) : OpValue(Tensor(results)) {}       // NOLINT
  OpValue(std::vector<Tensor> tensors) : value_(std::move(tensors)) {}  // NOLINT
  OpValue(std::initializer_list<Tensor> list) : value_(std::vector(list)) {}
  OpValue(const Scalar& number) : value_(number) {}  // NOLINT
  template <Number T>
  OpValue(T number) : value_(Scalar(number)) {}                          // NOLINT
  OpValue(std::string text) : value_(std::move(text)) {}                 // NOLINT
  OpValue(std::string_view text) : value_(std::string(text)) {}          // NOLINT
  OpValue(std::vector<int64_t> numbers) : value_(std::move(numbers)) {}  // NOLINT
  OpValue(std::initializer_list<int64_t> list) : value_(std::vector(list)) {}
  OpValue(Dims numbers) : value_(std::vector(numbers.begin(), numbers.end())) {}  // NOLINT
  OpValue(DType dtype) : value_(dtype) {}                                         // NOLINT
  template <class T>
  OpValue(const std::optional<T>& maybe)
      : OpValue(maybe ? OpValue(*maybe) : OpValue()) {}  // NOLINT

  ValueKind kind() const { return static_cast<ValueKind>(value_.index()); }
  // Null when it is something else.
  template <class T>
  const T* get() const {
    return std::get_if<T>(&value_);
  }

 private:
  std::variant<std::monostate, Tensor, std::vector<Tensor>, Scalar, std::string,
               std::vector<int64_t>, DType>
      value_;
};

// The position of the first undefined tensor.
EAGRE_API std::optional<size_t> undefined_in(const std::vector<Tensor>& tensors);

// For messages: "a Tensor", "the number 2.5", "nothing".
EAGRE_API std::string describe(const OpValue& value);

// An argument of a call: by position, or by name as named("scale", 2.0).
class OpArgument : public OpValue {
 public:
  using OpValue::OpValue;
  OpArgument(OpValue value, std::string_view name = {})  // NOLINT: an argument without a name
      : OpValue(std::move(value)), name_(name) {}
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;
};
inline OpArgument named(std::string_view name, OpValue value) { return {std::move(value), name}; }

}  // namespace eagre
