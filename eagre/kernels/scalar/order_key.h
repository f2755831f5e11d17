// Numbers as unsigned integers in the same order: NaN is the largest, and both zeros are equal.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <eagre/core/load_element.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

template <class T>
using OrderKey = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
EAGRE_SCALAR OrderKey<T> order_key(const T& element) {
  using Key = OrderKey<T>;
  const T value = load_element(element);
  constexpr Key kSign = Key{1} << (sizeof(Key) * 8 - 1);
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return ~Key{0};
    const Key bits = std::bit_cast<Key>(value == 0 ? T{0} : value);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Key>(value) ^ kSign;
  } else {
    return static_cast<Key>(value);
  }
}

// The same without branches, so that vectors can do it: of NaN any key, of zeros either of two next
// to each other.
template <class T>
EAGRE_SCALAR OrderKey<T> rough_order_key(const T& element) {
  using Key = OrderKey<T>;
  if constexpr (std::is_floating_point_v<T>) {
    constexpr int kBits = sizeof(Key) * 8 - 1;
    const auto bits = std::bit_cast<Key>(load_element(element));
    const auto sign = static_cast<Key>(static_cast<std::make_signed_t<Key>>(bits) >> kBits);
    return bits ^ (sign | Key{1} << kBits);
  } else {
    return order_key(element);
  }
}

// The number that a key was made of; of NaN and of zeros, some.
template <class T>
EAGRE_SCALAR T from_order_key(OrderKey<T> key) {
  using Key = OrderKey<T>;
  constexpr Key kSign = Key{1} << (sizeof(Key) * 8 - 1);
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<T>((key & kSign) != 0 ? key ^ kSign : ~key);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(key ^ kSign);
  } else {
    return static_cast<T>(key);
  }
}

// Does from_order_key() lose something of this number?
template <class T>
EAGRE_SCALAR bool is_lossy(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Key = OrderKey<T>;
    return value != value || std::bit_cast<Key>(value) == Key{1} << (sizeof(Key) * 8 - 1);
  } else {
    return false;
  }
}

}  // namespace eagre::scalar
