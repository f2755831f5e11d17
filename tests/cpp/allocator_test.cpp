// Host memory: size classes, the cache, statistics, limits, threads, fork.
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <eagre/core/size_class.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(SizeClasses, HoldWhatWasAskedForAndWasteLittle) {
  size_t previous = 0;
  for (size_t bytes = 513; bytes < (size_t{1} << 24); bytes += bytes / 37 + 1) {
    const SizeClass size = SizeClass::of(bytes);
    ASSERT_GE(size.bytes, bytes);
    ASSERT_LE(size.bytes, bytes + bytes / 8 + 1) << bytes;
    ASSERT_EQ(size.bytes % 64, 0U);
    ASSERT_GE(size.index, previous);
    ASSERT_EQ(SizeClass::of(size.bytes).index, size.index);
    ASSERT_EQ(SizeClass::of(size.bytes + 1).index, size.index + 1);
    previous = size.index;
  }
  EXPECT_EQ(SizeClass::of(size_t{64} << 20).bytes, size_t{64} << 20);
  EXPECT_EQ(SizeClass::of(1).index, 0U);
  EXPECT_EQ(SizeClass::of(SizeClass::kMostBytes).index, SizeClass::kCount - 1);
}

class HostMemory : public ::testing::Test {
 protected:
  HostMemory() { cpu::empty_cache(); }
  ~HostMemory() override {
    cpu::set_memory_limit(0);
    set_flag("memory_cache_fraction", before_);
  }
  static Tensor bytes(int64_t n) { return full({n}, 1, kUInt8); }
  const FlagValue before_ = get_flag("memory_cache_fraction");
};

TEST_F(HostMemory, IsCounted) {
  const cpu::MemoryStats before = cpu::memory_stats();
  cpu::reset_peak_memory_stats();
  {
    const Tensor a = bytes(5'000'000), b = bytes(3000);
    const cpu::MemoryStats stats = cpu::memory_stats();
    EXPECT_EQ(stats.allocated, before.allocated + 5'003'000);
    EXPECT_GE(stats.reserved, before.reserved + 5'003'000);
    EXPECT_EQ(stats.allocations, before.allocations + 2);
    EXPECT_EQ(cpu::memory_allocated(), stats.allocated);
    EXPECT_EQ(cpu::memory_reserved(), stats.reserved);
  }
  const cpu::MemoryStats after = cpu::memory_stats();
  EXPECT_EQ(after.allocated, before.allocated);
  EXPECT_EQ(after.frees, before.frees + 2);
  EXPECT_EQ(cpu::max_memory_allocated(), before.allocated + 5'003'000);
  EXPECT_EQ(after.reserved - after.cached, before.reserved - before.cached);
  cpu::empty_cache();
  EXPECT_EQ(cpu::memory_stats().cached, 0);
  EXPECT_EQ(cpu::memory_reserved(), before.reserved - before.cached);
  cpu::reset_peak_memory_stats();
  EXPECT_EQ(cpu::max_memory_allocated(), before.allocated);
  EXPECT_EQ(cpu::max_memory_reserved(), cpu::memory_reserved());
}

TEST_F(HostMemory, SmallTensorsAndEmptyOnesTakeNone) {
  const int64_t before = cpu::memory_stats().allocations;
  const Tensor a = bytes(16), b = bytes(0);
  EXPECT_EQ(cpu::memory_stats().allocations, before);
}

TEST_F(HostMemory, IsAligned) {
  for (int64_t n : {1500, 4097, 100'000, 1'000'000, 2 << 20, (2 << 20) + 1, 9'000'000}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes(n).data_ptr<uint8_t>()) % 64, 0U) << n;
  }
}

TEST_F(HostMemory, AFreedBlockComesBack) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  for (int64_t n : {5000, 300'000, 40'000'000}) {
    const void* first = bytes(n).data_ptr<uint8_t>();
    const int64_t hits = cpu::memory_stats().cache_hits;
    const Tensor again = bytes(n - 10);
    EXPECT_EQ(again.data_ptr<uint8_t>(), first);
    EXPECT_EQ(cpu::memory_stats().cache_hits, hits + 1);
    // A much smaller tensor does not take a large block.
    const Tensor other = bytes(n);
    const int64_t now = cpu::memory_stats().cache_hits;
    const Tensor small = bytes(n / 2);
    EXPECT_EQ(cpu::memory_stats().cache_hits, now);
  }
}

TEST_F(HostMemory, TheCacheIsBounded) {
  set_flag("memory_cache_fraction", 0);
  bytes(5'000'000);
  EXPECT_EQ(cpu::memory_stats().cached, 0);
  if (kSanitized) return;
  set_flag("memory_cache_fraction", before_);
  bytes(5'000'000);
  EXPECT_GT(cpu::memory_stats().cached, 0);
}

TEST_F(HostMemory, ALimitIsAnErrorThatTellsTheState) {
  const Tensor held = bytes(1'000'000);
  const int64_t used = cpu::memory_allocated();
  cpu::set_memory_limit(cpu::memory_reserved() + 10'000'000);
  const int64_t refused = cpu::memory_stats().out_of_memory;
  const std::string limit = std::to_string(flags().memory_limit.load());
  expect_parts(error_of(ErrorKind::kOutOfMemory, [] { bytes(20'000'000); }),
               {"out of host memory: cannot allocate 20000000 bytes; tensors use ",
                std::to_string(used) + " bytes, 0 are cached, the memory limit is " + limit});
  EXPECT_EQ(cpu::memory_stats().out_of_memory, refused + 1);
  EXPECT_EQ(cpu::memory_allocated(), used);
  EXPECT_EQ(bytes(5'000'000).numel(), 5'000'000);
}

TEST_F(HostMemory, CachedBlocksGoBeforeTheLimitRefuses) {
  cpu::set_memory_limit(cpu::memory_reserved() + 10'000'000);
  for (int64_t n : {8'000'000, 4'000'000, 9'000'000, 2'500'000}) {
    EXPECT_EQ(bytes(n).numel(), n);
    EXPECT_LE(cpu::memory_reserved(), flags().memory_limit.load());
  }
  cpu::set_memory_limit(1);
  EXPECT_EQ(cpu::memory_stats().cached, 0);
}

TEST_F(HostMemory, AbsurdRequestsAreErrors) {
  for (int64_t n : {int64_t{1} << 46, int64_t{1} << 55}) {
    expect_parts(error_of(ErrorKind::kOutOfMemory, [&] { bytes(n); }),
                 {"cannot allocate " + std::to_string(n) + " bytes", "there is no memory limit"});
  }
  expect_parts(error_of(ErrorKind::kOutOfMemory, [] { bytes(int64_t{1} << 62); }),
               {"4611686018427387904 elements, for which no machine has memory"});
  error_of(ErrorKind::kInvalidArgument, [] { cpu::set_memory_limit(-1); });
}

TEST_F(HostMemory, IsTradedBetweenThreads) {
  const int64_t before = cpu::memory_allocated();
  constexpr int kThreads = 4;
  std::mutex mutex;
  std::vector<Tensor> shared;
  in_threads(kThreads, [&](int me) {
    for (int i = 0; i < 300; ++i) {
      Tensor fresh = full({2000 + (i * 37 + me) % 5000}, me);
      Tensor old;
      std::lock_guard lock(mutex);
      shared.push_back(fresh);
      if (shared.size() > 10) {
        old = shared[static_cast<size_t>(i) % shared.size()];
        std::swap(shared[static_cast<size_t>(i) % shared.size()], shared.back());
        shared.pop_back();
      }
    }
  });
  shared.clear();
  EXPECT_EQ(cpu::memory_allocated(), before);
}

TEST_F(HostMemory, SurvivesFork) {
  if (kForkHangs) GTEST_SKIP() << "the thread sanitizer's own locks do not survive fork()";
  const std::jthread busy([](const std::stop_token& end) {
    while (!end.stop_requested()) bytes(100'000);
  });
  for (int round = 0; round < (kSanitized ? 4 : 30); ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);
      const bool good = bytes(3'000'000).sum().item<double>() == 3'000'000;
      cpu::empty_cache();
      _exit(good ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

}  // namespace
}  // namespace eagre::test
