// Names of element types, their promotion, and the default dtype.
#include <eagre/core/dtype.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/export.h>

namespace eagre {
namespace {

std::atomic<DType> default_floating{DType::kFloat32};

// Among the dtypes of a category, the wider one; but for the pairs that have a third one above
// them.
constexpr DType wider(DType a, DType b) {
  if (element_size(a) != element_size(b)) return element_size(a) < element_size(b) ? b : a;
  return a;
}

constexpr uint8_t kNoPromotion = kDTypeCount;

constexpr uint8_t promotion_of(DType a, DType b) {
  if (category(a) > category(b)) std::swap(a, b);
  const auto is_pair = [&](DType one, DType other) {
    return (a == one && b == other) || (a == other && b == one);
  };
  const bool mixed =
      (dtypes::kUnsigned.contains(a) && !is_floating_point(b)) || dtypes::kUnsigned.contains(b);
  const bool is_float8 = dtypes::kFloat8.contains(a) || dtypes::kFloat8.contains(b);
  if (a != b && (mixed || is_float8)) return kNoPromotion;
  DType result = b;  // of the higher category
  if (category(a) == category(b)) result = wider(a, b);
  if (is_floating_point(a) && is_complex(b)) result = wider(complex_dtype(a), b);
  if (is_pair(kFloat16, kBFloat16)) result = kFloat32;
  if (is_pair(kUInt8, kInt8)) result = kInt16;
  return static_cast<uint8_t>(result);
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

namespace {

[[noreturn]] EAGRE_COLD void raise_not_promoted(DType a, DType b) {
  const bool is_float8 = dtypes::kFloat8.contains(a) || dtypes::kFloat8.contains(b);
  const char* problem =
      is_float8
          ? "Promotion for Float8 Types is not supported"
          : "uint16, uint32 and uint64 are not promoted with other integers or complex numbers";
  raise(ErrorKind::kType, concat(problem, ", attempted to promote ", a, " and ", b,
                                 ". Hint: convert one of them with .to(dtype)"));
}

}  // namespace

DType promote_types(DType a, DType b) {
  const uint8_t result = kPromotions.of[static_cast<size_t>(a)][static_cast<size_t>(b)];
  if (result == kNoPromotion) [[unlikely]]
    raise_not_promoted(a, b);
  return static_cast<DType>(result);
}

DType default_dtype() { return default_floating.load(std::memory_order_relaxed); }

void set_default_dtype(DType dtype) {
  EAGRE_CHECK(
      dtypes::kFloats.contains(dtype), kType,
      "set_default_dtype(): only floating-point types of 16 bits or more can be the default "
      "type, but got ",
      dtype);
  default_floating.store(dtype, std::memory_order_relaxed);
}

}  // namespace eagre
