// A number that is not a tensor: it promotes by category and never allocates.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include <eagre/base/export.h>
#include <eagre/core/can_hold.h>
#include <eagre/core/dtype.h>
#include <eagre/core/load_element.h>

namespace eagre {

// std::complex, told by what it offers: its header is too large to be part of every file.
template <class T>
concept StandardComplex = requires(const T& number) {
  { number.real() } -> std::same_as<typename T::value_type>;
  { number.imag() } -> std::same_as<typename T::value_type>;
  requires std::floating_point<typename T::value_type>;
};

// What a program may write where a number is wanted.
template <class T>
concept Number = std::is_arithmetic_v<T> || kIsComplex<T> || StandardComplex<T>;

class Scalar;
// Of a conversion to a type of so many bytes.
[[noreturn]] EAGRE_API EAGRE_COLD void raise_overflow(const std::string& value, DTypeCategory to,
                                                      size_t bytes);
EAGRE_API std::string text_of(const Scalar& value);
template <class To, class From>
To checked_element(From value);

class Scalar {
 public:
  constexpr Scalar() : Scalar(int64_t{0}) {}
  template <std::integral T>
  constexpr Scalar(T value)  // NOLINT: numbers are scalars
      : category_(std::same_as<T, bool> ? DTypeCategory::kBool : DTypeCategory::kInteger),
        integer_(static_cast<int64_t>(value)) {
    // Of a larger one there is no Scalar: it must not become a negative number unseen.
    if constexpr (std::unsigned_integral<T> && sizeof(T) == sizeof(int64_t)) {
      if (integer_ < 0) [[unlikely]]
        raise_overflow(std::to_string(value), DTypeCategory::kInteger, sizeof(int64_t));
    }
  }
  template <std::floating_point T>
  constexpr Scalar(T value)  // NOLINT
      : category_(DTypeCategory::kFloating), floating_(static_cast<double>(value)) {}
  template <class T>
  constexpr Scalar(Complex<T> value)  // NOLINT
      : category_(DTypeCategory::kComplex),
        floating_(convert_element<double>(value.real)),
        imaginary_(convert_element<double>(value.imag)) {}
  template <StandardComplex T>
  constexpr Scalar(const T& value)  // NOLINT
      : category_(DTypeCategory::kComplex),
        floating_(static_cast<double>(value.real())),
        imaginary_(static_cast<double>(value.imag())) {}

  constexpr DTypeCategory category() const { return category_; }

  // As T; a number that T cannot hold is an error, as in libtorch.
  template <class T>
  T to() const {
    if (category_ < DTypeCategory::kFloating) return checked_element<T>(integer_);
    if (category_ == DTypeCategory::kFloating) return checked_element<T>(floating_);
    return checked_element<T>(Complex<double>(floating_, imaginary_));
  }
  template <class T>
  constexpr bool fits() const {
    if (category_ < DTypeCategory::kFloating) return can_hold<T>(integer_);
    if (category_ == DTypeCategory::kFloating) return can_hold<T>(floating_);
    return can_hold<T>(Complex<double>(floating_, imaginary_));
  }
  bool fits(DType dtype) const {
    bool result = true;
    visit_dtype(dtype, [&](auto zero) { result = fits<decltype(zero)>(); });
    return result;
  }

  // libtorch's names. NOLINTBEGIN(readability-identifier-naming)
  bool toBool() const { return to<bool>(); }
  int32_t toInt() const { return to<int32_t>(); }
  int64_t toLong() const { return to<int64_t>(); }
  float toFloat() const { return to<float>(); }
  double toDouble() const { return to<double>(); }
  constexpr bool isBoolean() const { return category_ == DTypeCategory::kBool; }
  constexpr bool isIntegral(bool with_bool) const {
    return category_ == DTypeCategory::kInteger || (with_bool && isBoolean());
  }
  constexpr bool isFloatingPoint() const { return category_ == DTypeCategory::kFloating; }
  constexpr bool isComplex() const { return category_ == DTypeCategory::kComplex; }
  constexpr DType type() const {
    return isBoolean() ? kBool : isComplex() ? kComplex128 : isFloatingPoint() ? kFloat64 : kInt64;
  }
  // NOLINTEND(readability-identifier-naming)

  // Without that check: as elements are converted.
  template <class T>
  constexpr T wrapped() const {
    if (category_ < DTypeCategory::kFloating) return convert_element<T>(integer_);
    if (category_ == DTypeCategory::kFloating) return convert_element<T>(floating_);
    return convert_element<T>(Complex<double>(floating_, imaginary_));
  }

  // An element in memory. (One of uint64 beyond 2^63 wraps around.)
  static Scalar load(DType dtype, const void* source) {
    Scalar value;
    visit_dtype(dtype, [&](auto zero) {
      using T = decltype(zero);
      const T element = load_element(*static_cast<const T*>(source));
      if constexpr (std::is_same_v<T, uint64_t>) {
        value = static_cast<int64_t>(element);
      } else if constexpr (std::is_arithmetic_v<T> || kIsComplex<T>) {
        value = element;
      } else {
        value = static_cast<float>(element);
      }
    });
    return value;
  }

  // Writes the value as `dtype` to memory for a kernel.
  void store(DType dtype, void* destination) const {
    // By far the most frequent: before the jump table.
    if (dtype == DType::kFloat32) [[likely]] {
      *static_cast<float*>(destination) = wrapped<float>();
      return;
    }
    if (dtype == DType::kFloat64) [[likely]] {
      *static_cast<double*>(destination) = wrapped<double>();
      return;
    }
    visit_dtype(dtype, [&](auto zero) {
      *static_cast<decltype(zero)*>(destination) = wrapped<decltype(zero)>();
    });
  }

 private:
  DTypeCategory category_;
  union {
    int64_t integer_;
    double floating_;  // the real part of a complex number
  };
  double imaginary_ = 0;
};

template <class To, class From>
To checked_element(From value) {
  if (!can_hold<To>(value)) [[unlikely]] {
    constexpr bool kWhole = std::is_integral_v<To>;
    constexpr DTypeCategory kTo = kIsComplex<To> ? DTypeCategory::kComplex
                                  : kWhole       ? DTypeCategory::kInteger
                                                 : DTypeCategory::kFloating;
    if constexpr (std::is_integral_v<From>) {
      raise_overflow(std::to_string(value), kTo, sizeof(To));
    } else if constexpr (std::is_arithmetic_v<From> || kIsComplex<From>) {
      raise_overflow(text_of(value), kTo, sizeof(To));
    } else {
      raise_overflow(text_of(static_cast<float>(value)), kTo, sizeof(To));
    }
  }
  return convert_element<To>(value);
}

}  // namespace eagre
