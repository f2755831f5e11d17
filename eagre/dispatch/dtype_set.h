// Sets of dtypes, as the records of operators name them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include <eagre/core/dtype.h>

namespace eagre::dispatch {

struct DTypeSet {
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> dtypes) {
    for (DType dtype : dtypes) bits |= 1U << static_cast<unsigned>(dtype);
  }
  constexpr bool has(DType dtype) const { return (bits >> static_cast<unsigned>(dtype) & 1) != 0; }

  uint32_t bits = 0;
};

constexpr DTypeSet operator|(DTypeSet a, DTypeSet b) {
  a.bits |= b.bits;
  return a;
}

inline constexpr DTypeSet kIntegers = {kUInt8, kInt8, kInt16, kInt32, kInt64};
inline constexpr DTypeSet kUnsigned = {kUInt16, kUInt32, kUInt64};
inline constexpr DTypeSet kFloats = {kFloat16, kBFloat16, kFloat32, kFloat64};
inline constexpr DTypeSet kComplex = {kComplex64, kComplex128};
inline constexpr DTypeSet kAll = DTypeSet{kBool} | kIntegers | kUnsigned | kFloats | kComplex;

}  // namespace eagre::dispatch
