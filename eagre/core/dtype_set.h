// Sets of dtypes, and those that operators' records and the library ask for.
#pragma once

#include <cstdint>
#include <initializer_list>

#include <eagre/core/dtype_traits.h>

namespace eagre {

// In one word: asking it costs a shift, where the table would cost a load.
class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> dtypes) {
    for (const DType dtype : dtypes) bits_ |= bit_of(dtype);
  }
  template <class Member>
  static constexpr DTypeSet where(Member is_member) {
    DTypeSet set;
    for (const DTypeTraits& row : detail::kDTypeTraits) {
      if (is_member(row)) set.bits_ |= bit_of(row.dtype);
    }
    return set;
  }

  constexpr bool contains(DType dtype) const {
    return (bits_ >> static_cast<uint32_t>(dtype) & 1) != 0;
  }
  constexpr DTypeSet operator|(DTypeSet other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr bool operator==(const DTypeSet&) const = default;

 private:
  static constexpr uint32_t bit_of(DType dtype) {
    return uint32_t{1} << static_cast<uint32_t>(dtype);
  }
  uint32_t bits_ = 0;
  static_assert(kDTypeCount <= 32);
};

// The groups that records name, and two that only the library asks for. A row of the table says by
// itself where it belongs.
namespace dtypes {
inline constexpr DTypeSet kAll = DTypeSet::where([](const DTypeTraits&) { return true; });
inline constexpr DTypeSet kIntegers = DTypeSet::where([](const DTypeTraits& d) {
  return d.category == DTypeCategory::kInteger && (d.is_signed || d.size == 1);
});
// Of more than a byte: they join no other integers, and few operators take them.
inline constexpr DTypeSet kUnsigned = DTypeSet::where([](const DTypeTraits& d) {
  return d.category == DTypeCategory::kInteger && !d.is_signed && d.size > 1;
});
inline constexpr DTypeSet kFloats = DTypeSet::where(
    [](const DTypeTraits& d) { return d.category == DTypeCategory::kFloating && d.size > 1; });
// Of one byte: they are promoted with nothing, and hardly any operator computes with them.
inline constexpr DTypeSet kFloat8 = DTypeSet::where(
    [](const DTypeTraits& d) { return d.category == DTypeCategory::kFloating && d.size == 1; });
inline constexpr DTypeSet kComplex =
    DTypeSet::where([](const DTypeTraits& d) { return d.category == DTypeCategory::kComplex; });
inline constexpr DTypeSet kArithmetic =
    DTypeSet::where([](const DTypeTraits& d) { return !kFloat8.contains(d.dtype); });
inline constexpr DTypeSet kFloating = kFloats | kFloat8;
// Only these have gradients.
inline constexpr DTypeSet kDifferentiable =
    DTypeSet::where([](const DTypeTraits& d) { return d.category >= DTypeCategory::kFloating; });
}  // namespace dtypes

}  // namespace eagre
