// Numbers as a program writes them: their dtypes, and nested braces of them.
#pragma once

#include <initializer_list>

#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>

namespace eagre {

// How numbers of a C++ type lie in memory.
template <class T>
constexpr DType stored_dtype() {
  if constexpr (StandardComplex<T>) {
    return complex_dtype(DTypeOf<typename T::value_type>::value);
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr bool kSigned = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1: return kSigned ? kInt8 : kUInt8;
      case 2: return kSigned ? kInt16 : kUInt16;
      case 4: return kSigned ? kInt32 : kUInt32;
      default: return kSigned ? kInt64 : kUInt64;
    }
  } else {
    return DTypeOf<T>::value;
  }
}
// The dtype they have in a tensor, unless another is chosen: int and longer int64, real numbers the
// default dtype, all others that of their type.
template <class T>
DType written_dtype() {
  if constexpr (std::is_integral_v<T> && sizeof(T) >= sizeof(int)) {
    return kInt64;
  } else if constexpr (std::is_floating_point_v<T>) {
    return default_dtype();
  } else {
    return stored_dtype<T>();
  }
}
template <class T>
concept Element = requires {
  stored_dtype<T>();
}
&&!std::is_same_v<T, long double>;

// {{1, 2}, {3, 4.5}}: a number, or a list of such. Refers to the braces: lives no longer than the
// call it is an argument of.
class NestedNumbers {
 public:
  template <Number T>
  requires Element<T> NestedNumbers(T number)  // NOLINT: a number in braces
      : dtype_(written_dtype<T>()), number_(number) {}
  NestedNumbers(std::initializer_list<NestedNumbers> list) : is_list_(true), list_(list) {}

  bool is_list() const { return is_list_; }
  const std::initializer_list<NestedNumbers>& list() const { return list_; }
  DType dtype() const { return dtype_; }
  const Scalar& number() const { return number_; }

 private:
  bool is_list_ = false;
  DType dtype_ = kBool;
  Scalar number_;
  std::initializer_list<NestedNumbers> list_;
};

}  // namespace eagre
