// PyTorch's names of dtypes in messages ("Half"), which people search for.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

#include <eagre/core/dtype.h>

namespace eagre {

inline std::string_view scalar_type_name(DType dtype) {
  static constexpr std::string_view kNames[] = {
      "Bool",   "Byte",         "Char",          "Short",         "Int",         "Long",
      "UInt16", "UInt32",       "UInt64",        "Half",          "BFloat16",    "Float",
      "Double", "ComplexFloat", "ComplexDouble", "Float8_e4m3fn", "Float8_e5m2", "ComplexHalf"};
  static_assert(std::size(kNames) == kDTypeCount);
  return kNames[static_cast<size_t>(dtype)];
}

}  // namespace eagre
