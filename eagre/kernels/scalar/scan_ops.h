// The operations of scans (`kernel: {scan: …}`): how the result up to an element follows from the
// one before.
#pragma once

#include <type_traits>

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// What an operation says: whether its results are values, or the places of elements (kPlaces). Of
// values the State that is carried on, where it begins, join(state, next), of numbers and of
// vectors of them, in whatever order they are joined, and whether it begins at the end.
template <class T>
struct Cumsum {
  static constexpr bool kPlaces = false, kReversed = false;
  // float is added up in double: errors would pile up along the row.
  using State = std::conditional_t<std::is_same_v<T, float>, double, T>;
  static constexpr State kIdentity = 0;
  template <class V>
  EAGRE_SCALAR void join(V& state, const V& next) {
    state = state + next;
  }
};

template <class T>
struct ReversedCumsum : Cumsum<T> {
  static constexpr bool kReversed = true;
};

// The largest or smallest element so far.
template <class T>
struct RunningExtreme {
  static constexpr bool kPlaces = true;
  bool least;

  explicit RunningExtreme(bool of_least) : least(of_least) {}
  // Is `value` taken after `best`? The later of equal ones is, and NaN before all.
  EAGRE_SCALAR_MEMBER bool takes_over(T value, T best) const {
    if (value != value) return true;
    return least ? value <= best : value >= best;  // false of a NaN that was before
  }
};

}  // namespace eagre::scalar
