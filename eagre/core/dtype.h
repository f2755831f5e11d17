// Element types and what can be asked of them without a tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <eagre/base/export.h>

namespace eagre {

// In the order of promotion: of two types the later wins.
enum class DType : uint8_t { kBool, kInt64, kFloat32, kFloat64 };
constexpr size_t kDTypeCount = 4;

constexpr DType kBool = DType::kBool;
constexpr DType kInt64 = DType::kInt64;
constexpr DType kFloat32 = DType::kFloat32;
constexpr DType kFloat64 = DType::kFloat64;

constexpr size_t element_size(DType dtype) {
  constexpr uint8_t kSizes[kDTypeCount] = {1, 8, 4, 8};
  return kSizes[static_cast<size_t>(dtype)];
}

constexpr bool is_floating_point(DType dtype) { return dtype >= DType::kFloat32; }

// bool < integer < floating: a number joins a tensor's type unless its category is higher.
enum class DTypeCategory : uint8_t { kBool, kInteger, kFloating };
constexpr DTypeCategory category(DType dtype) {
  if (dtype == DType::kBool) return DTypeCategory::kBool;
  return is_floating_point(dtype) ? DTypeCategory::kFloating : DTypeCategory::kInteger;
}

EAGRE_API std::string_view to_string(DType dtype);

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<bool> : std::integral_constant<DType, DType::kBool> {};
template <>
struct DTypeOf<int64_t> : std::integral_constant<DType, DType::kInt64> {};
template <>
struct DTypeOf<float> : std::integral_constant<DType, DType::kFloat32> {};
template <>
struct DTypeOf<double> : std::integral_constant<DType, DType::kFloat64> {};

// Calls f with a value of the C++ type that stores `dtype`: visit_dtype(d, [](auto zero) {…}).
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kBool: return f(bool{});
    case DType::kInt64: return f(int64_t{});
    case DType::kFloat32: return f(float{});
    case DType::kFloat64: break;
  }
  return f(double{});
}

// What torch calls the default dtype: that of randn() and of int → float promotion.
EAGRE_API DType default_dtype();
EAGRE_API void set_default_dtype(DType dtype);

}  // namespace eagre
