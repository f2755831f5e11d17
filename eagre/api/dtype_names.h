// The shorter names of dtypes, as libtorch spells them.
#pragma once

#include <eagre/core/dtype.h>

namespace eagre {

constexpr DType kByte = kUInt8;
constexpr DType kChar = kInt8;
constexpr DType kShort = kInt16;
constexpr DType kInt = kInt32;
constexpr DType kLong = kInt64;
constexpr DType kHalf = kFloat16;
constexpr DType kFloat = kFloat32;
constexpr DType kDouble = kFloat64;
constexpr DType kComplexHalf = kComplex32;
constexpr DType kComplexFloat = kComplex64;
constexpr DType kComplexDouble = kComplex128;

inline DType get_default_dtype() { return default_dtype(); }

}  // namespace eagre
