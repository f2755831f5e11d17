// Sharing independent tasks between threads.
#pragma once

#include <eagre/base/thread_pool.h>
#include <eagre/kernels/cpu/levels/vector.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

// Less work than this, in elements, is not worth another thread.
constexpr int64_t kSharedElements = 32768;

// range(begin, end) for stretches of [0, tasks), each task about `work` elements long.
template <class F>
void share(int64_t tasks, int64_t work, const F& range) {
  if (tasks <= 1 || tasks * work < 2 * kSharedElements) return range(0, tasks);
  parallel_for(0, tasks, work < kSharedElements ? kSharedElements / (work + 1) + 1 : 1, range);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
