// Elements that go to places an index names, by many threads: those for the same place keep their
// order, so the result is that of one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/ordered_rows.h>

namespace eagre::kernels::cpu {

// Sorting costs about as much as two threads gain.
constexpr int64_t kSharedScatterNumel = 1 << 17;
constexpr int kSharedScatterThreads = 4;

inline bool shares_scatter(const IndexRows& rows, const Beside& to, const Beside& from,
                           int64_t elements) {
  return elements >= kSharedScatterNumel && elements == rows.block && rows.width == rows.block &&
         to.chosen_stride == 1 && from.step == 1 && get_num_threads() >= kSharedScatterThreads &&
         !in_parallel_region();
}

template <class T>
struct ScatterEntry {
  using Key = uint32_t;
  static constexpr int kDigits = 1;
  int64_t place;
  T value;
  Key stretch;

  Key key() const { return stretch; }
};

// apply(target[place], value) for every index and its value. Elements are sorted by stretches of
// the target first; then each stretch is one thread's.
template <class T, class F>
void scatter_by_stretches(T* target, int64_t size, const int64_t* index, const T* values, int64_t n,
                          const F& apply) {
  using Entry = ScatterEntry<T>;
  int shift = 0;
  while ((size - 1) >> shift > 255) ++shift;
  const EntryRoom<Entry> room(2 * n);
  parallel_for(0, n, kEntryGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t place = row_at(index[i], size);
      room.data()[i] = {place, values[i], static_cast<uint32_t>(place >> shift)};
    }
  });
  const Entry* sorted = DigitSort<Entry>(room.data(), room.data() + n, n).run();
  parallel_for(0, 256, 1, [&](int64_t stretch, int64_t) {
    const auto is_before = [](const Entry& entry, int64_t s) { return entry.stretch < s; };
    const Entry* entry = std::lower_bound(sorted, sorted + n, stretch, is_before);
    for (; entry != sorted + n && entry->stretch == stretch; ++entry) {
      apply(target[entry->place], entry->value);
    }
  });
}

}  // namespace eagre::kernels::cpu
