// Sharing independent tasks between threads.
#pragma once

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Less work than this, in elements, is not worth another thread.
constexpr int64_t kSharedElements = 32768;
// The same for products of matrices, in multiplications.
constexpr int64_t kSharedProducts = 1 << 20;

// range(begin, end) for stretches of [0, tasks), each task about `work` elements long.
template <class F>
void share(int64_t tasks, int64_t work, const F& range) {
  if (tasks <= 1 || tasks * work < 2 * kSharedElements) return range(0, tasks);
  parallel_for(0, tasks, work < kSharedElements ? kSharedElements / (work + 1) + 1 : 1, range);
}

// The same for [0, count), cut at multiples of `step`: stretches of at least `least` work, of which
// each index has `work`.
template <class F>
void share_steps(int64_t count, int64_t step, int64_t work, int64_t least, const F& range) {
  const int64_t grain = least / (step * work + 1) + 1;  // in steps
  const int64_t steps = (count + step - 1) / step;
  if (steps <= grain) return range(0, count);
  parallel_for(0, steps, grain, [&](int64_t begin, int64_t end) {
    range(begin * step, end * step < count ? end * step : count);
  });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
