// Reading one element of a tensor's memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include <eagre/base/export.h>

namespace eagre {

// The byte of a bool may be another than 0 and 1: in a view of bytes, in memory of others,
// and where nobody has written yet. Every byte but 0 is true. Always inlined: code per isa uses it.
template <class T>
[[gnu::always_inline]] EAGRE_HOST_DEVICE inline T load_element(const T& element) {
  if constexpr (std::is_same_v<T, bool>) {
    return *reinterpret_cast<const uint8_t*>(&element) != 0;
  } else {
    return element;
  }
}

}  // namespace eagre
