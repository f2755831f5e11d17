// A number that is not a tensor: it promotes by category and never allocates.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include <eagre/base/export.h>
#include <eagre/core/can_hold.h>
#include <eagre/core/dtype.h>

namespace eagre {

class Scalar;
// Of a conversion to a type of so many bytes.
[[noreturn]] EAGRE_API EAGRE_COLD void raise_overflow(const Scalar& value, DTypeCategory to,
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
        integer_(static_cast<int64_t>(value)) {}
  template <std::floating_point T>
  constexpr Scalar(T value)  // NOLINT
      : category_(DTypeCategory::kFloating), floating_(static_cast<double>(value)) {}
  template <class T>
  constexpr Scalar(Complex<T> value)  // NOLINT
      : category_(DTypeCategory::kComplex),
        floating_(static_cast<double>(value.real)),
        imaginary_(static_cast<double>(value.imag)) {}

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
      const T element = *static_cast<const T*>(source);
      if constexpr (std::is_arithmetic_v<T> || kIsComplex<T>) {
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
    if constexpr (std::is_arithmetic_v<From> || kIsComplex<From>) {
      raise_overflow(value, kTo, sizeof(To));
    } else {
      raise_overflow(static_cast<float>(value), kTo, sizeof(To));
    }
  }
  return convert_element<To>(value);
}

}  // namespace eagre
