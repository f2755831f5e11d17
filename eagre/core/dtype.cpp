// Names of element types, their promotion, and the default dtype.
#include <eagre/core/dtype.h>

#include <atomic>

#include <eagre/base/error.h>

namespace eagre {
namespace {

std::atomic<DType> default_floating{DType::kFloat32};

constexpr bool is_wide_unsigned(DType dtype) {
  return dtype >= DType::kUInt16 && dtype <= DType::kUInt64;
}

}  // namespace

std::string_view to_string(DType dtype) {
  constexpr std::string_view kNames[kDTypeCount] = {
      "bool",   "uint8",   "int8",     "int16",   "int32",   "int64",     "uint16",    "uint32",
      "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"};
  return kNames[static_cast<size_t>(dtype)];
}

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);  // the enumerators are ordered, but for the cases below
  if (is_complex(b) && !is_wide_unsigned(a)) return a == DType::kFloat64 ? DType::kComplex128 : b;
  if (is_floating_point(b)) {
    return a == DType::kFloat16 && b == DType::kBFloat16 ? DType::kFloat32 : b;
  }
  EAGRE_CHECK(!is_wide_unsigned(a) && !is_wide_unsigned(b), kType,
              "uint16, uint32 and uint64 are not promoted with other integers or complex numbers, "
              "attempted to promote ",
              a, " and ", b, ". Hint: convert one of them with .to(dtype)");
  return a == DType::kUInt8 && b == DType::kInt8 ? DType::kInt16 : b;
}

DType default_dtype() { return default_floating.load(std::memory_order_relaxed); }

void set_default_dtype(DType dtype) {
  EAGRE_CHECK(is_floating_point(dtype), kType,
              "set_default_dtype(): only floating-point types can be the default type, but got ",
              dtype);
  default_floating.store(dtype, std::memory_order_relaxed);
}

}  // namespace eagre
