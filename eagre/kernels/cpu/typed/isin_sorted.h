// isin_sorted: is each element among those of a sorted vector? By halving it.
#pragma once

#include <algorithm>

#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void isin_sorted(const TensorView& out, const TensorView& elements, const TensorView& sorted,
                 bool invert) {
  const T* first = sorted.as<const T>();
  const T* last = first + sorted.numel;
  const T* source = elements.as<const T>();
  bool* target = out.as<bool>();
  parallel_for(0, elements.numel, kIndexGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      // NaN, which is last among the sorted, is below nothing and equals nothing.
      const T* place = std::lower_bound(first, last, source[i]);
      target[i] = (place != last && *place == source[i]) != invert;
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
