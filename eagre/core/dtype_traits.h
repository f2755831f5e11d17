// The element types, and the table of what is known of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace eagre {

// The numbers are part of the plug-in interface (device_plugin.h): new ones go to the end.
enum class DType : uint8_t {
  kBool,
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
  kFloat8_e4m3fn,
  kFloat8_e5m2,
  kComplex32,
  // libtorch's spellings. NOLINTBEGIN(readability-identifier-naming)
  Bool = kBool,
  Byte = kUInt8,
  Char = kInt8,
  Short = kInt16,
  Int = kInt32,
  Long = kInt64,
  UInt16 = kUInt16,
  UInt32 = kUInt32,
  UInt64 = kUInt64,
  Half = kFloat16,
  BFloat16 = kBFloat16,
  Float = kFloat32,
  Double = kFloat64,
  ComplexHalf = kComplex32,
  ComplexFloat = kComplex64,
  ComplexDouble = kComplex128,
  Float8_e4m3fn = kFloat8_e4m3fn,
  Float8_e5m2 = kFloat8_e5m2,
  // NOLINTEND(readability-identifier-naming)
};

constexpr DType kBool = DType::kBool;
constexpr DType kUInt8 = DType::kUInt8;
constexpr DType kInt8 = DType::kInt8;
constexpr DType kInt16 = DType::kInt16;
constexpr DType kInt32 = DType::kInt32;
constexpr DType kInt64 = DType::kInt64;
constexpr DType kUInt16 = DType::kUInt16;
constexpr DType kUInt32 = DType::kUInt32;
constexpr DType kUInt64 = DType::kUInt64;
constexpr DType kFloat16 = DType::kFloat16;
constexpr DType kBFloat16 = DType::kBFloat16;
constexpr DType kFloat32 = DType::kFloat32;
constexpr DType kFloat64 = DType::kFloat64;
constexpr DType kComplex64 = DType::kComplex64;
constexpr DType kComplex128 = DType::kComplex128;
constexpr DType kFloat8_e4m3fn = DType::kFloat8_e4m3fn;
constexpr DType kFloat8_e5m2 = DType::kFloat8_e5m2;
constexpr DType kComplex32 = DType::kComplex32;

// bool < integer < floating < complex: a number joins a tensor's type unless its category is
// higher.
enum class DTypeCategory : uint8_t { kBool, kInteger, kFloating, kComplex };

// What is known of a dtype: sets of dtypes (dtype_set.h), and all that is asked of one, are read
// from here. What else a new dtype needs stands in ARCHITECTURE.md, "Where a change goes".
struct DTypeTraits {
  DType dtype;
  std::string_view name;
  uint8_t size;
  DTypeCategory category;
  // What CPU kernels compute it in; their loads and stores convert. Integers wrap around, so a
  // wider one gives the same bits.
  DType cpu_compute;
  bool is_signed = true;
};

namespace detail {
// At namespace scope: a table inside a constexpr function would be built on the stack by each call.
inline constexpr DTypeTraits kDTypeTraits[] = {
    {kBool, "bool", 1, DTypeCategory::kBool, kBool, false},
    {kUInt8, "uint8", 1, DTypeCategory::kInteger, kInt32, false},
    {kInt8, "int8", 1, DTypeCategory::kInteger, kInt32},
    {kInt16, "int16", 2, DTypeCategory::kInteger, kInt32},
    {kInt32, "int32", 4, DTypeCategory::kInteger, kInt32},
    {kInt64, "int64", 8, DTypeCategory::kInteger, kInt64},
    {kUInt16, "uint16", 2, DTypeCategory::kInteger, kInt32, false},
    {kUInt32, "uint32", 4, DTypeCategory::kInteger, kInt64, false},
    {kUInt64, "uint64", 8, DTypeCategory::kInteger, kInt64, false},
    {kFloat16, "float16", 2, DTypeCategory::kFloating, kFloat32},
    {kBFloat16, "bfloat16", 2, DTypeCategory::kFloating, kFloat32},
    {kFloat32, "float32", 4, DTypeCategory::kFloating, kFloat32},
    {kFloat64, "float64", 8, DTypeCategory::kFloating, kFloat64},
    {kComplex64, "complex64", 8, DTypeCategory::kComplex, kComplex64},
    {kComplex128, "complex128", 16, DTypeCategory::kComplex, kComplex128},
    {kFloat8_e4m3fn, "float8_e4m3fn", 1, DTypeCategory::kFloating, kFloat32},
    {kFloat8_e5m2, "float8_e5m2", 1, DTypeCategory::kFloating, kFloat32},
    {kComplex32, "complex32", 4, DTypeCategory::kComplex, kComplex64},
};
}  // namespace detail
constexpr size_t kDTypeCount = std::size(detail::kDTypeTraits);
constexpr const DTypeTraits& traits(DType dtype) {
  return detail::kDTypeTraits[static_cast<size_t>(dtype)];
}

namespace detail {
static_assert(
    [] {
      for (size_t i = 0; i < kDTypeCount; ++i) {
        if (kDTypeTraits[i].dtype != static_cast<DType>(i)) return false;
      }
      return true;
    }(),
    "a row for every enumerator, in their order");
}  // namespace detail

}  // namespace eagre
