// What can be asked of element types without a tensor, and their C++ types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <eagre/base/export.h>
#include <eagre/core/complex.h>
#include <eagre/core/complex_half.h>
#include <eagre/core/dtype_set.h>     // IWYU pragma: export
#include <eagre/core/dtype_traits.h>  // IWYU pragma: export
#include <eagre/core/float8.h>
#include <eagre/core/half.h>

namespace eagre {

// One column of the table, for what every call asks: a byte by the dtype.
namespace detail {
template <class Field>
constexpr auto column(Field field) {
  std::array<decltype(field(kDTypeTraits[0])), kDTypeCount> values{};
  for (size_t i = 0; i < kDTypeCount; ++i) values[i] = field(kDTypeTraits[i]);
  return values;
}
inline constexpr auto kElementSizes = column([](const DTypeTraits& d) { return d.size; });
inline constexpr auto kCategories = column([](const DTypeTraits& d) { return d.category; });
inline constexpr auto kCpuCompute = column([](const DTypeTraits& d) { return d.cpu_compute; });
}  // namespace detail

constexpr size_t element_size(DType dtype) {
  return detail::kElementSizes[static_cast<size_t>(dtype)];
}
constexpr DTypeCategory category(DType dtype) {
  return detail::kCategories[static_cast<size_t>(dtype)];
}
constexpr DType cpu_compute_dtype(DType dtype) {
  return detail::kCpuCompute[static_cast<size_t>(dtype)];
}
constexpr bool is_signed(DType dtype) { return traits(dtype).is_signed; }

constexpr bool is_floating_point(DType dtype) { return dtypes::kFloating.contains(dtype); }
constexpr bool is_complex(DType dtype) { return dtypes::kComplex.contains(dtype); }
constexpr bool is_differentiable(DType dtype) { return dtypes::kDifferentiable.contains(dtype); }
constexpr DType real_dtype(DType dtype) {
  switch (dtype) {
    case DType::kComplex32: return kFloat16;
    case DType::kComplex64: return kFloat32;
    case DType::kComplex128: return kFloat64;
    default: return dtype;
  }
}
constexpr DType complex_dtype(DType dtype) {
  if (is_complex(dtype)) return dtype;
  return dtype == kFloat64 ? kComplex128 : dtype == kFloat16 ? kComplex32 : kComplex64;
}

constexpr std::string_view to_string(DType dtype) { return traits(dtype).name; }

template <class T>
struct DTypeOf;
#define EAGRE_DTYPE_OF(type, dtype) \
  template <>                       \
  struct DTypeOf<type> : std::integral_constant<DType, dtype> {}
EAGRE_DTYPE_OF(bool, DType::kBool);
EAGRE_DTYPE_OF(uint8_t, DType::kUInt8);
EAGRE_DTYPE_OF(int8_t, DType::kInt8);
EAGRE_DTYPE_OF(int16_t, DType::kInt16);
EAGRE_DTYPE_OF(int32_t, DType::kInt32);
EAGRE_DTYPE_OF(int64_t, DType::kInt64);
EAGRE_DTYPE_OF(uint16_t, DType::kUInt16);
EAGRE_DTYPE_OF(uint32_t, DType::kUInt32);
EAGRE_DTYPE_OF(uint64_t, DType::kUInt64);
EAGRE_DTYPE_OF(Half, DType::kFloat16);
EAGRE_DTYPE_OF(BFloat16, DType::kBFloat16);
EAGRE_DTYPE_OF(float, DType::kFloat32);
EAGRE_DTYPE_OF(double, DType::kFloat64);
EAGRE_DTYPE_OF(Complex<float>, DType::kComplex64);
EAGRE_DTYPE_OF(Complex<double>, DType::kComplex128);
EAGRE_DTYPE_OF(Float8_e4m3fn, DType::kFloat8_e4m3fn);
EAGRE_DTYPE_OF(Float8_e5m2, DType::kFloat8_e5m2);
EAGRE_DTYPE_OF(Complex<Half>, DType::kComplex32);
#undef EAGRE_DTYPE_OF

// Calls f with a value of the C++ type that stores `dtype`: visit_dtype(d, [](auto zero) {…}).
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kBool: return f(bool{});
    case DType::kUInt8: return f(uint8_t{});
    case DType::kInt8: return f(int8_t{});
    case DType::kInt16: return f(int16_t{});
    case DType::kInt32: return f(int32_t{});
    case DType::kInt64: return f(int64_t{});
    case DType::kUInt16: return f(uint16_t{});
    case DType::kUInt32: return f(uint32_t{});
    case DType::kUInt64: return f(uint64_t{});
    case DType::kFloat16: return f(Half{});
    case DType::kBFloat16: return f(BFloat16{});
    case DType::kFloat32: return f(float{});
    case DType::kFloat64: return f(double{});
    case DType::kComplex64: return f(Complex<float>{});
    case DType::kComplex128: return f(Complex<double>{});
    case DType::kFloat8_e4m3fn: return f(Float8_e4m3fn{});
    case DType::kFloat8_e5m2: return f(Float8_e5m2{});
    case DType::kComplex32: break;
  }
  return f(Complex<Half>{});
}

// A value of one element type as another. Numbers that an integer cannot hold wrap around; NaN and
// those beyond 64 bits become the smallest one. A complex number loses its imaginary part.
template <class To, class From>
constexpr To convert_element(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return To(value);
  } else if constexpr (kIsComplex<From> && std::is_same_v<To, bool>) {
    return convert_element<bool>(value.real) || convert_element<bool>(value.imag);
  } else if constexpr (kIsComplex<From>) {
    return convert_element<To>(value.real);
  } else if constexpr (kIsComplex<To>) {
    return To(convert_element<Real<To>>(value));
  } else if constexpr (!std::is_arithmetic_v<From>) {  // of 16 or 8 bits
    return convert_element<To>(static_cast<float>(value));
  } else if constexpr (!std::is_arithmetic_v<To>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> &&
                       !std::is_same_v<To, bool>) {
    constexpr From kLimit = 9223372036854775808.0;  // 2^63
    if (std::is_same_v<To, uint64_t> && value >= kLimit && value < 2 * kLimit) {
      return static_cast<To>(static_cast<uint64_t>(value));
    }
    return static_cast<To>(value >= -kLimit && value < kLimit ? static_cast<int64_t>(value)
                                                              : INT64_MIN);
  } else {
    return static_cast<To>(value);
  }
}

// The dtype of a result of both, as PyTorch has it; uint16, uint32 and uint64 only join floats, and
// the float8 types nothing.
EAGRE_API DType promote_types(DType a, DType b);

// What torch calls the default dtype: that of randn() and of int → float promotion.
EAGRE_API DType default_dtype();
EAGRE_API void set_default_dtype(DType dtype);

}  // namespace eagre
