// libtorch's AT_DISPATCH_*: code with `scalar_t` for the dtype that a tensor has at run time.
//
//   AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", [&] { scale<scalar_t>(x); });
//
// visit_dtype() in core/dtype.h does the same without macros.
#pragma once

#include <eagre/base/error.h>
#include <eagre/core/complex.h>
#include <eagre/core/complex_half.h>
#include <eagre/core/dtype.h>

namespace eagre {

// The C++ type of a dtype.
template <DType D>
constexpr auto element_zero() {
  if constexpr (D == DType::kBool) return bool{};
  if constexpr (D == DType::kUInt8) return uint8_t{};
  if constexpr (D == DType::kInt8) return int8_t{};
  if constexpr (D == DType::kInt16) return int16_t{};
  if constexpr (D == DType::kInt32) return int32_t{};
  if constexpr (D == DType::kInt64) return int64_t{};
  if constexpr (D == DType::kUInt16) return uint16_t{};
  if constexpr (D == DType::kUInt32) return uint32_t{};
  if constexpr (D == DType::kUInt64) return uint64_t{};
  if constexpr (D == DType::kFloat16) return Half{};
  if constexpr (D == DType::kBFloat16) return BFloat16{};
  if constexpr (D == DType::kFloat32) return float{};
  if constexpr (D == DType::kFloat64) return double{};
  if constexpr (D == DType::kComplex64) return Complex<float>{};
  if constexpr (D == DType::kComplex128) return Complex<double>{};
  if constexpr (D == DType::kFloat8_e4m3fn) return Float8_e4m3fn{};
  if constexpr (D == DType::kFloat8_e5m2) return Float8_e5m2{};
  if constexpr (D == DType::kComplex32) return Complex<Half>{};
}
template <DType D>
using ElementOf = decltype(element_zero<D>());
#define EAGRE_CHECK_ELEMENT(D) static_assert(DTypeOf<ElementOf<DType::D>>::value == DType::D)
EAGRE_CHECK_ELEMENT(kBool);
EAGRE_CHECK_ELEMENT(kInt64);
EAGRE_CHECK_ELEMENT(kComplex32);
#undef EAGRE_CHECK_ELEMENT

}  // namespace eagre

// libtorch's names. NOLINTBEGIN(readability-identifier-naming)
// What is called returns from the lambda that the switch stands in.
#define AT_DISPATCH_CASE(dtype, ...)                             \
  case dtype: {                                                  \
    using scalar_t [[maybe_unused]] = ::eagre::ElementOf<dtype>; \
    return __VA_ARGS__();                                        \
  }
#define AT_DISPATCH_SWITCH(dtype, name, ...)                                        \
  [&] {                                                                             \
    const ::eagre::DType eagre_dispatched = dtype;                                  \
    switch (eagre_dispatched) {                                                     \
      __VA_ARGS__                                                                   \
      default:                                                                      \
        ::eagre::raise(::eagre::ErrorKind::kUnimplemented,                          \
                       ::eagre::concat('"', name, "\" not implemented for '",       \
                                       ::eagre::to_string(eagre_dispatched), "'")); \
    }                                                                               \
  }()

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)       \
  AT_DISPATCH_CASE(::eagre::kFloat64, __VA_ARGS__) \
  AT_DISPATCH_CASE(::eagre::kFloat32, __VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)           \
  AT_DISPATCH_CASE(::eagre::kComplex128, __VA_ARGS__) \
  AT_DISPATCH_CASE(::eagre::kComplex64, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)     \
  AT_DISPATCH_CASE(::eagre::kUInt8, __VA_ARGS__) \
  AT_DISPATCH_CASE(::eagre::kInt8, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::eagre::kInt16, __VA_ARGS__) \
  AT_DISPATCH_CASE(::eagre::kInt32, __VA_ARGS__) \
  AT_DISPATCH_CASE(::eagre::kInt64, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(dtype, name, ...) \
  AT_DISPATCH_FLOATING_TYPES_AND(::eagre::kFloat16, dtype, name, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(extra, dtype, name, ...)   \
  AT_DISPATCH_SWITCH(dtype, name,                                 \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                         AT_DISPATCH_CASE(extra, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(extra, extra2, dtype, name, ...)            \
  AT_DISPATCH_SWITCH(dtype, name,                                                   \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE( \
                         extra, __VA_ARGS__) AT_DISPATCH_CASE(extra2, __VA_ARGS__))
#define AT_DISPATCH_COMPLEX_TYPES(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(extra, dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name,                          \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(extra, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(extra, extra2, dtype, name, ...)                               \
  AT_DISPATCH_SWITCH(dtype, name,                                                                 \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(extra, __VA_ARGS__) \
                         AT_DISPATCH_CASE(extra2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(extra, extra2, extra3, dtype, name, ...)                       \
  AT_DISPATCH_SWITCH(dtype, name,                                                                 \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(extra, __VA_ARGS__) \
                         AT_DISPATCH_CASE(extra2, __VA_ARGS__)                                    \
                             AT_DISPATCH_CASE(extra3, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(extra, dtype, name, ...)   \
  AT_DISPATCH_SWITCH(dtype, name,                                        \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) \
                         AT_DISPATCH_CASE(extra, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(extra, extra2, dtype, name, ...)            \
  AT_DISPATCH_SWITCH(dtype, name,                                                          \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE( \
                         extra, __VA_ARGS__) AT_DISPATCH_CASE(extra2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(extra, extra2, extra3, dtype, name, ...)        \
  AT_DISPATCH_SWITCH(                                                                          \
      dtype, name,                                                                             \
      AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(extra, __VA_ARGS__) \
          AT_DISPATCH_CASE(extra2, __VA_ARGS__) AT_DISPATCH_CASE(extra3, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_AND(extra, dtype, name, ...)   \
  AT_DISPATCH_SWITCH(dtype, name,                                 \
                     AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
                         AT_DISPATCH_CASE(extra, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(extra, dtype, name, ...)  \
  AT_DISPATCH_SWITCH(dtype, name,                                             \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) \
                         AT_DISPATCH_CASE(extra, __VA_ARGS__))
#define AT_PRIVATE_INDEX_CASE(dtype, ...)                       \
  case dtype: {                                                 \
    using index_t [[maybe_unused]] = ::eagre::ElementOf<dtype>; \
    return __VA_ARGS__();                                       \
  }
#define AT_DISPATCH_INDEX_TYPES(dtype, name, ...)                        \
  AT_DISPATCH_SWITCH(dtype, name,                                        \
                     AT_PRIVATE_INDEX_CASE(::eagre::kInt32, __VA_ARGS__) \
                         AT_PRIVATE_INDEX_CASE(::eagre::kInt64, __VA_ARGS__))
// NOLINTEND(readability-identifier-naming)
