// Bags of rows: where each begins and ends in the index, for sum_bags and bag_maxima.
#pragma once

#include <algorithm>
#include <optional>

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/typed/check_index.h>

namespace eagre::kernels::cpu::typed {

// each(bag, first index of it, last) for all bags, by any thread. The operators that call this have
// checked the offsets; they are kept within bounds, as another thread may have changed them.
template <class F>
void for_each_bag(const TensorView& index, const TensorView& offset, int64_t width, const F& each) {
  const auto* places = index.as<const int64_t>();
  const auto* starts = offset.as<const int64_t>();
  const int64_t bags = offset.numel - 1, count = index.numel;
  const int64_t work = (count / (bags + 1) + 1) * (width + 1);
  parallel_for(0, bags, 32768 / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t bag = begin; bag < end; ++bag) {
      const int64_t first = std::clamp<int64_t>(starts[bag], 0, count);
      const int64_t last = std::clamp<int64_t>(starts[bag + 1], first, count);
      each(bag, places + first, places + last);
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
