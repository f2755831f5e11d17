// Sorting keys with the places they came from. Equal keys stay in the order of their places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <eagre/base/interrupt.h>
#include <eagre/kernels/cpu/typed/order_key.h>

namespace eagre::kernels::cpu::typed {

// step(begin, end) for pieces of [0, n), with a look for Ctrl-C after each: a row may have hundreds
// of millions of elements, and each step through it takes long.
template <class F>
void in_pieces(int64_t n, const F& step) {
  constexpr int64_t kPiece = 1 << 20;
  if (n <= kPiece) return step(0, n);
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t end = std::min(n, begin + kPiece);
    step(begin, end);
    poll_interrupt(end - begin);
  }
}

// Small keys share a word with the place, so that one comparison of words compares both.
struct NarrowEntry {
  using Key = uint32_t;
  static constexpr int kDigits = 4;
  uint64_t word;

  static NarrowEntry make(Key key, int64_t place) {
    return {uint64_t{key} << 32 | static_cast<uint32_t>(place)};
  }
  Key key() const { return static_cast<Key>(word >> 32); }
  int64_t place() const { return static_cast<uint32_t>(word); }
  friend bool operator<(NarrowEntry a, NarrowEntry b) { return a.word < b.word; }
};

struct WideEntry {
  using Key = uint64_t;
  static constexpr int kDigits = 8;
  Key value;
  int64_t index;

  static WideEntry make(Key key, int64_t place) { return {key, place}; }
  Key key() const { return value; }
  int64_t place() const { return index; }
  friend bool operator<(const WideEntry& a, const WideEntry& b) {
    return a.value != b.value ? a.value < b.value : a.index < b.index;
  }
};

// Sorts entries that are in the order of their places; `room` has space for as many. Returns which
// of the two holds the result.
template <class Entry>
Entry* sort_entries(Entry* entries, Entry* room, int64_t n) {
  constexpr int64_t kFewEntries = 256;
  if (n <= kFewEntries) {
    std::sort(entries, entries + n);
    return entries;
  }
  constexpr int kDigits = Entry::kDigits, kValues = 256;
  int64_t starts[kDigits][kValues] = {};
  in_pieces(n, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto key = entries[i].key();
      for (int d = 0; d < kDigits; ++d) ++starts[d][key >> (8 * d) & 255];
    }
  });
  for (int d = 0; d < kDigits; ++d) {
    int64_t* start = starts[d];
    if (start[entries[0].key() >> (8 * d) & 255] == n) continue;  // this digit is the same in all
    int64_t sum = 0;
    for (int v = 0; v < kValues; ++v) sum += std::exchange(start[v], sum);
    in_pieces(n, [start, d, from = entries, to = room](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        to[start[from[i].key() >> (8 * d) & 255]++] = from[i];
      }
    });
    std::swap(entries, room);
  }
  return entries;
}

// Sorts entries in any order; `room` has space for as many. Returns which of the two holds the
// result.
template <class Entry>
Entry* sort_unordered(Entry* entries, Entry* room, int64_t n) {
  constexpr int64_t kFirst = 1 << 18;
  if (n <= kFirst) {
    std::sort(entries, entries + n);
    return entries;
  }
  for (int64_t begin = 0; begin < n; begin += kFirst) {
    const int64_t end = std::min(n, begin + kFirst);
    std::sort(entries + begin, entries + end);
    poll_interrupt(16 * (end - begin));  // a step of sorting for each of its passes
  }
  for (int64_t width = kFirst; width < n; width *= 2) {
    for (int64_t begin = 0; begin < n; begin += 2 * width) {
      const int64_t middle = std::min(n, begin + width), end = std::min(n, middle + width);
      std::merge(entries + begin, entries + middle, entries + middle, entries + end, room + begin);
      poll_interrupt(end - begin);
    }
    std::swap(entries, room);
  }
  return entries;
}

}  // namespace eagre::kernels::cpu::typed
