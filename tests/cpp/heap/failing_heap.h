// Code run with every call of the heap failing in turn.
#pragma once

#include <new>

#include <eagre/base/block_pool.h>
#include <eagre/kernels/cpu/scratch.h>

#include "cpp/heap/counting_malloc.h"  // IWYU pragma: export
#include "cpp/support.h"               // IWYU pragma: export

namespace eagre::test {

inline void give_back_what_is_kept() {
  cpu::empty_cache();
  trim_block_pools();
  kernels::cpu::trim_scratch();
}

// Runs `f` with the 1st, 2nd, … heap call failing until it goes through; `after` follows each
// failure. Returns how many there were.
template <class F, class After>
int failures_survived(uint64_t most, F f, After after) {
  f();
  int failures = 0;
  for (uint64_t n = 1;; ++n) {
    give_back_what_is_kept();
    const int64_t live = heap_counts().live;
    const int64_t allocated = cpu::memory_allocated();
    const uint64_t refused = heap_counts().refused;
    bool done = false;
    fail_heap_call(n);
    try {
      f();
      done = true;
    } catch (const Error& error) {
      fail_heap_call(0);
      EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory) << error.message();
    } catch (const std::bad_alloc&) {
      fail_heap_call(0);
    }
    fail_heap_call(0);
    EXPECT_TRUE(GradMode::is_enabled());
    EXPECT_EQ(cpu::memory_allocated(), allocated) << "heap call " << n;
    if (!done) after(n);  // with whatever state the failure left
    give_back_what_is_kept();
    if (done) {
      EXPECT_EQ(heap_counts().refused, refused) << "heap call " << n << " failed unheard";
      return failures;
    }
    ++failures;
    EXPECT_LE(heap_counts().live, live) << "leaked when heap call " << n << " failed";
    if (n == most || ::testing::Test::HasFailure()) {
      ADD_FAILURE() << "stopped after heap call " << n;
      return failures;
    }
  }
}

template <class F>
void expect_survives(F f) {
  EXPECT_GT(failures_survived(500, f, [](uint64_t) {}), 0);
}

}  // namespace eagre::test
