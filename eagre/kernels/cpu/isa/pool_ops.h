// What pooling makes of the elements of a window: a cell of it is a vector of neighbouring columns,
// or channels.
//
// Rows of a window are folded first, by column; then the columns.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Element i, or elements i, i + kStride, … of a row, whose memory goes on for a few vectors.
template <int kStride, class T>
EAGRE_INLINE typename Lanes<T>::Vector load_spaced(const T* from) {
  using L = Lanes<T>;
  if constexpr (kStride == 1) return L::load(from);
  return L::even_of(L::load(from), L::load(from + L::kCount));
}

template <class T>
struct SumOp {
  using L = Lanes<T>;
  using Element = T;
  struct Cell {
    typename L::Vector value;
  };
  // A row of folded columns, and elements of the result.
  struct Row {
    T* values;
    EAGRE_INLINE Row at(int64_t i) const { return {values + i}; }
  };

  static EAGRE_INLINE Cell start() { return {typename L::Vector{}}; }
  // Of the input: `count` columns of the row that begins at place `first`.
  static EAGRE_INLINE Cell of_row(const T* from, int count, int64_t /*first*/) {
    return {L::load_some(from, count)};
  }
  static EAGRE_INLINE void fold_row(Cell& sum, const Cell& row) { sum.value += row.value; }
  // Those columns are all; others are padding.
  static EAGRE_INLINE void save(Row to, const Cell& cell, int /*count*/) {
    L::store(to.values, cell.value);
  }
  template <int kStride>
  static EAGRE_INLINE Cell columns(Row from, int64_t /*x*/) {
    return {load_spaced<kStride>(from.values)};
  }
  // The same element of neighbouring channels.
  static EAGRE_INLINE Cell channels(Row from, int64_t x) { return columns<1>(from, x); }
  static EAGRE_INLINE void fold(Cell& sum, const Cell& more) { sum.value += more.value; }
  // One column.
  struct One {
    T value = 0;
    EAGRE_INLINE void fold(Row from, int64_t /*x*/) { value += *from.values; }
    EAGRE_INLINE Cell cell() const { return {L::splat(value)}; }
  };
};

template <class T>
constexpr T kLowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                           : std::numeric_limits<T>::lowest();

template <class T>
struct MaxOp {
  using L = Lanes<T>;
  using Element = T;
  using Cell = typename SumOp<T>::Cell;
  using Row = typename SumOp<T>::Row;

  static EAGRE_INLINE Cell start() { return {L::splat(kLowest<T>)}; }
  static EAGRE_INLINE Cell of_row(const T* from, int count, int64_t /*first*/) {
    return {L::load_some(from, count)};
  }
  static EAGRE_INLINE void fold_row(Cell& best, const Cell& row) {
    const auto value = row.value;
    best.value = (value > best.value) | (value != value) ? value : best.value;
  }
  static EAGRE_INLINE void save(Row to, const Cell& cell, int count) {
    L::store(to.values, L::first_of(cell.value, count, kLowest<T>));
  }
  template <int kStride>
  static EAGRE_INLINE Cell columns(Row from, int64_t /*x*/) {
    return {load_spaced<kStride>(from.values)};
  }
  static EAGRE_INLINE Cell channels(Row from, int64_t x) { return columns<1>(from, x); }
  static EAGRE_INLINE void fold(Cell& best, const Cell& more) { fold_row(best, more); }
  struct One {
    T value = kLowest<T>;
    EAGRE_INLINE void fold(Row from, int64_t /*x*/) {
      const T more = *from.values;
      value = (more > value) | (more != more) ? more : value;
    }
    EAGRE_INLINE Cell cell() const { return {L::splat(value)}; }
  };
};

// Places are as wide as elements, so that a vector has as many of both. Of planes with as many
// elements as kNoPlace they would not fit.
template <class T>
using Place = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
template <class T>
constexpr Place<T> kNoPlace = std::numeric_limits<Place<T>>::max() / 2 + 1;

// The largest and where it is. Equal ones count from the front of the plane, NaN from the back.
template <class T>
struct MaxPlaceOp {
  using L = Lanes<T>;
  using P = Lanes<Place<T>>;
  using Element = T;
  struct Cell {
    typename L::Vector value;
    typename P::Vector place;
  };
  struct Row {
    T* values;
    Place<T>* places;
    EAGRE_INLINE Row at(int64_t i) const { return {values + i, places + i}; }
  };

  static EAGRE_INLINE Cell start() { return {L::splat(kLowest<T>), P::splat(kNoPlace<T>)}; }
  static EAGRE_INLINE Cell of_row(const T* from, int count, int64_t first) {
    return {L::load_some(from, count), P::splat(static_cast<Place<T>>(first))};
  }
  static EAGRE_INLINE void fold_row(Cell& best, const Cell& row) {
    const auto value = row.value, old = best.value;
    // The first row counts whatever it has; after it all places are lower.
    const auto is_better = (value > old) | (value != value) | (best.place == P::splat(kNoPlace<T>));
    best.value = is_better ? value : old;
    best.place = is_better ? row.place : best.place;
  }
  static EAGRE_INLINE void save(Row to, const Cell& cell, int count) {
    L::store(to.values, L::first_of(cell.value, count, kLowest<T>));
    P::store(to.places, P::first_of(cell.place, count, kNoPlace<T>));
  }
  // Places of columns are those of their row until here.
  template <int kStride>
  static EAGRE_INLINE Cell columns(Row from, int64_t x) {
    const auto own = P::numbers() * P::splat(kStride) + P::splat(static_cast<Place<T>>(x));
    return {load_spaced<kStride>(from.values), load_spaced<kStride>(from.places) + own};
  }
  static EAGRE_INLINE Cell channels(Row from, int64_t x) {
    return {L::load(from.values), P::load(from.places) + P::splat(static_cast<Place<T>>(x))};
  }
  static EAGRE_INLINE void fold(Cell& best, const Cell& more) {
    const auto is_better = comes_first(more.value, more.place, best.value, best.place);
    best.value = is_better ? more.value : best.value;
    best.place = is_better ? more.place : best.place;
  }
  struct One {
    T value = kLowest<T>;
    Place<T> place = kNoPlace<T>;
    EAGRE_INLINE void fold(Row from, int64_t x) {
      const T more = *from.values;
      const Place<T> here = *from.places + static_cast<Place<T>>(x);
      const bool is_better = comes_first(more, here, value, place);
      value = is_better ? more : value;
      place = is_better ? here : place;
    }
    EAGRE_INLINE Cell cell() const { return {L::splat(value), P::splat(place)}; }
  };

 private:
  template <class V, class W>
  static EAGRE_INLINE auto comes_first(V value, W place, V old, W old_place) {
    const auto is_before = place < old_place;
    return (value > old) | ((value == old) & is_before) |
           ((value != value) & ((old == old) | (place > old_place)));
  }
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
