// sort: the elements along a dimension in order, and where they came from.
#pragma once

#include <atomic>

#include <eagre/kernels/cpu/ordered_rows.h>

namespace eagre::kernels::cpu::typed {

template <class Entry, class T>
void sort_rows(const TensorView& values, const TensorView& indices, const TensorView& input,
               int64_t dim, bool descending) {
  const Along along(input.sizes, dim);
  const int64_t n = along.size, step = along.inner;
  using Key = typename Entry::Key;
  const Key flip = descending ? ~Key{0} : 0;
  for_each_ordered_row<Entry, T>(
      input, dim, descending,
      [&](Entry* entries, Entry* room, const T* from, int64_t outer, int64_t inner) {
        const Entry* sorted = sort_entries(entries, room, n);
        T* to = values.as<T>() + outer * n * step + inner;
        int64_t* places = indices.as<int64_t>() + outer * n * step + inner;
        std::atomic<bool> any_lossy{false};
        parallel_for(0, n, kEntryGrain, [&](int64_t begin, int64_t end) {
          bool found = false;
          for (int64_t i = begin; i < end; ++i) found = found | scalar::is_lossy(from[i * step]);
          if (found) any_lossy.store(true, std::memory_order_relaxed);
        });
        const bool is_exact = !any_lossy.load(std::memory_order_relaxed);
        parallel_for(0, n, kEntryGrain, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t place = sorted[i].place();
            places[i * step] = place;
            // Taking the value from the key is faster than from its place, which is anywhere.
            to[i * step] = is_exact ? scalar::from_order_key<T>(
                                          static_cast<scalar::OrderKey<T>>(sorted[i].key() ^ flip))
                                    : load_element(from[place * step]);
          }
        });
      });
}

template <class T>
void sort(const TensorView& values, const TensorView& indices, const TensorView& input, int64_t dim,
          bool descending) {
  if (input.numel == 0) return;
  if (Along(input.sizes, dim).size <= int64_t{UINT32_MAX}) {
    sort_rows<EntryOf<T>, T>(values, indices, input, dim, descending);
  } else {
    sort_rows<WideEntry, T>(values, indices, input, dim, descending);
  }
}

}  // namespace eagre::kernels::cpu::typed
