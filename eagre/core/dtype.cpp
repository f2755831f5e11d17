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

namespace {

constexpr uint8_t kNoPromotion = kDTypeCount;

constexpr uint8_t promotion_of(DType a, DType b) {
  if (a > b) std::swap(a, b);  // the enumerators are ordered, but for the cases below
  if (a == DType::kFloat64 && is_complex(b)) b = DType::kComplex128;
  if (a == DType::kFloat16 && b == DType::kBFloat16) b = DType::kFloat32;
  if (a == DType::kUInt8 && b == DType::kInt8) b = DType::kInt16;
  const bool mixed = is_wide_unsigned(b) || (is_wide_unsigned(a) && !is_floating_point(b));
  return a != b && mixed ? kNoPromotion : static_cast<uint8_t>(b);
}

struct Promotions {
  uint8_t of[kDTypeCount][kDTypeCount];
};
constexpr Promotions kPromotions = [] {
  Promotions table{};
  for (size_t a = 0; a < kDTypeCount; ++a) {
    for (size_t b = 0; b < kDTypeCount; ++b) {
      table.of[a][b] = promotion_of(static_cast<DType>(a), static_cast<DType>(b));
    }
  }
  return table;
}();

}  // namespace

DType promote_types(DType a, DType b) {
  const uint8_t result = kPromotions.of[static_cast<size_t>(a)][static_cast<size_t>(b)];
  EAGRE_CHECK(result != kNoPromotion, kType,
              "uint16, uint32 and uint64 are not promoted with other integers or complex numbers, "
              "attempted to promote ",
              a, " and ", b, ". Hint: convert one of them with .to(dtype)");
  return static_cast<DType>(result);
}

DType default_dtype() { return default_floating.load(std::memory_order_relaxed); }

void set_default_dtype(DType dtype) {
  EAGRE_CHECK(is_floating_point(dtype), kType,
              "set_default_dtype(): only floating-point types can be the default type, but got ",
              dtype);
  default_floating.store(dtype, std::memory_order_relaxed);
}

}  // namespace eagre
