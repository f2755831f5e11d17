// Sorting keys with the places they came from. Equal keys stay in the order of their places.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <eagre/base/interrupt.h>
#include <eagre/base/thread_pool.h>
#include <eagre/kernels/scalar/order_key.h>

namespace eagre::kernels::cpu {

// So many entries of a long row are one thread's at a time.
constexpr int64_t kEntryGrain = 1 << 15;

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

// Sorts entries by their digits, the least first: the order of equal digits stays. Parts of the
// entries are counted, and then moved, by different threads; where each entry goes follows from the
// counts of all parts, so there is one result.
template <class Entry>
class DigitSort {
 public:
  DigitSort(Entry* entries, Entry* room, int64_t n) : entries_(entries), room_(room), n_(n) {
    const int64_t parts = std::clamp<int64_t>(n / kEntryGrain, 1, kMostParts);
    part_ = (n + parts - 1) / parts;
    starts_.resize(static_cast<size_t>((n + part_ - 1) / part_));
  }

  // Which of the two holds the result.
  Entry* run() {
    std::vector<std::array<Counts, Entry::kDigits>> counts(starts_.size());
    each_part([&](size_t part, int64_t begin, int64_t end) {
      auto& own = counts[part];
      for (int64_t i = begin; i < end; ++i) {
        const auto key = entries_[i].key();
        for (int d = 0; d < Entry::kDigits; ++d) ++own[d][key >> (8 * d) & 255];
      }
    });
    bool is_counted = true;  // entries still lie where they were counted
    for (int d = 0; d < Entry::kDigits; ++d) {
      int64_t same = 0;
      for (const auto& part : counts) same += part[d][entries_[0].key() >> (8 * d) & 255];
      if (same == n_) continue;  // this digit is the same in all
      if (is_counted) {
        for (size_t part = 0; part < starts_.size(); ++part) starts_[part] = counts[part][d];
      } else {
        count_digit(d);
      }
      place_counts();
      move_by_digit(d);
      is_counted = starts_.size() == 1;  // what one part holds does not change
    }
    return entries_;
  }

 private:
  static constexpr int64_t kMostParts = 64;
  using Counts = std::array<int64_t, 256>;

  template <class F>
  void each_part(const F& f) const {
    parallel_for(0, n_, part_, [&](int64_t begin, int64_t end) {
      f(static_cast<size_t>(begin / part_), begin, end);
    });
  }

  void count_digit(int d) {
    each_part([&](size_t part, int64_t begin, int64_t end) {
      Counts own{};
      for (int64_t i = begin; i < end; ++i) ++own[entries_[i].key() >> (8 * d) & 255];
      starts_[part] = own;
    });
  }

  // From how many each part has of a digit to where its first one goes.
  void place_counts() {
    int64_t sum = 0;
    for (size_t value = 0; value < 256; ++value) {
      for (Counts& part : starts_) sum += std::exchange(part[value], sum);
    }
  }

  void move_by_digit(int d) {
    each_part([&, from = entries_, to = room_](size_t part, int64_t begin, int64_t end) {
      Counts next = starts_[part];
      for (int64_t i = begin; i < end; ++i) to[next[from[i].key() >> (8 * d) & 255]++] = from[i];
    });
    std::swap(entries_, room_);
  }

  Entry* entries_;
  Entry* room_;
  int64_t n_, part_;
  std::vector<Counts> starts_;  // of each part
};

// Sorts entries that are in the order of their places; `room` has space for as many. Returns which
// of the two holds the result.
template <class Entry>
Entry* sort_entries(Entry* entries, Entry* room, int64_t n) {
  constexpr int64_t kFewEntries = 256;
  if (n > kFewEntries) return DigitSort<Entry>(entries, room, n).run();
  std::sort(entries, entries + n);
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

}  // namespace eagre::kernels::cpu
