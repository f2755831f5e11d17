// topk: the largest or smallest elements along a dimension, in order, and their places.
#pragma once

#include <eagre/kernels/cpu/typed/ordered_rows.h>

namespace eagre::kernels::cpu::typed {

template <class Entry, class T>
void topk_rows(const TensorView& values, const TensorView& indices, const TensorView& input,
               int64_t k, int64_t dim, bool largest) {
  const Along along(input, dim);
  const int64_t n = along.length, step = along.inner;
  for_each_ordered_row<Entry, T>(
      input, dim, largest,
      [&](Entry* entries, Entry*, const T* from, int64_t outer, int64_t inner) {
        if (k < n) std::nth_element(entries, entries + k, entries + n);
        std::sort(entries, entries + k);
        const int64_t first = outer * k * step + inner;
        for (int64_t i = 0; i < k; ++i) {
          const int64_t place = entries[i].place();
          indices.as<int64_t>()[first + i * step] = place;
          values.as<T>()[first + i * step] = from[place * step];
        }
      });
}

template <class T>
void topk(const TensorView& values, const TensorView& indices, const TensorView& input, int64_t k,
          int64_t dim, bool largest) {
  if (values.numel == 0) return;
  if (Along(input, dim).length <= int64_t{UINT32_MAX}) {
    topk_rows<EntryOf<T>, T>(values, indices, input, k, dim, largest);
  } else {
    topk_rows<WideEntry, T>(values, indices, input, k, dim, largest);
  }
}

}  // namespace eagre::kernels::cpu::typed
