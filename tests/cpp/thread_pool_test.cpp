// The thread pool: coverage of ranges, many callers, nesting, exceptions, fork, limits.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <eagre/base/cpu_count.h>
#include <eagre/base/interrupt.h>
#include <eagre/base/site_table.h>
#include <eagre/base/thread_pool.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

class ThreadPool : public ::testing::Test {
 protected:
  ThreadPool() { set_num_threads(4); }
  ~ThreadPool() override { set_num_threads(before_); }
  const int before_ = get_num_threads();
};

TEST_F(ThreadPool, EveryElementOnce) {
  for (int64_t n : {0, 1, 7, 8, 9, 1000, 4097}) {
    std::vector<std::atomic<int>> seen(static_cast<size_t>(n));
    parallel_for(0, n, 8, [&](int64_t begin, int64_t end) {
      EXPECT_EQ(begin % 8, 0);
      EXPECT_LE(end - begin, 8);
      for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
    });
    for (const auto& count : seen) EXPECT_EQ(count.load(), 1);
  }
}

TEST_F(ThreadPool, RangesMayBeginAnywhere) {
  std::atomic<int64_t> sum{0};
  parallel_for(-10, 11, 3, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) sum += i + 100;
  });
  EXPECT_EQ(sum.load(), 2100);
}

TEST_F(ThreadPool, RangesFromEndToEnd) {
  for (const int threads : {4, 1}) {
    set_num_threads(threads);
    std::atomic<uint64_t> length{0};
    std::atomic<int> chunks{0};
    const auto measure = [&](int64_t begin, int64_t end) {
      EXPECT_LT(begin, end);
      length += static_cast<uint64_t>(end) - static_cast<uint64_t>(begin);
      ++chunks;
    };
    parallel_for(INT64_MIN, INT64_MAX, INT64_MAX / 2, measure);
    EXPECT_EQ(length.exchange(0), UINT64_MAX);
    EXPECT_EQ(chunks.exchange(0), 5);
    parallel_for(INT64_MAX - 10, INT64_MAX, 4, measure);
    EXPECT_EQ(length.exchange(0), 10U);
    EXPECT_EQ(chunks.exchange(0), 3);
    parallel_for(INT64_MIN, INT64_MIN + 10, INT64_MAX, measure);
    EXPECT_EQ(length.exchange(0), 10U);
    parallel_for(INT64_MIN, INT64_MAX, 0, measure);
    EXPECT_EQ(length.exchange(0), UINT64_MAX);
    parallel_for(INT64_MAX, INT64_MIN, 1, measure);
    EXPECT_EQ(length.load(), 0U);
    // More chunks than anyone will run.
    EXPECT_THROW(parallel_for(INT64_MIN, INT64_MAX, 1,
                              [](int64_t, int64_t) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
  }
}

TEST_F(ThreadPool, GrainsThatSayNothing) {
  std::atomic<int64_t> sum{0};
  std::atomic<int> chunks{0};
  parallel_for(0, 1000, 0, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) sum += i;
    ++chunks;
  });
  EXPECT_EQ(sum.load(), 499500);
  EXPECT_GT(chunks.load(), 1);
  parallel_for(0, 0, 0, [&](int64_t, int64_t) { ADD_FAILURE(); });
  for (const int64_t bad : {int64_t{-1}, INT64_MIN}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument,
                          [&] { parallel_for(0, 10, bad, [](int64_t, int64_t) {}); }),
                 {"parallel_for()", "'grain'", std::to_string(bad)});
  }
}

TEST_F(ThreadPool, ChunksDoNotDependOnTheNumberOfThreads) {
  const auto borders = [] {
    std::vector<std::atomic<int64_t>> ends(100);
    parallel_for(0, 95, 10, [&](int64_t begin, int64_t end) { ends[size_t(begin)] = end; });
    return std::vector<int64_t>(ends.begin(), ends.end());
  };
  const auto with_four = borders();
  set_num_threads(1);
  EXPECT_EQ(borders(), with_four);
}

TEST_F(ThreadPool, ManyCallersAtOnce) {
  in_threads(6, [](int me) {
    for (int round = 0; round < 200; ++round) {
      std::atomic<int64_t> sum{0};
      parallel_for(0, 100, 3, [&](int64_t begin, int64_t end) { sum += (end - begin) * (me + 1); });
      ASSERT_EQ(sum.load(), 100 * (me + 1));
    }
  });
}

TEST_F(ThreadPool, CallersProgressWhileAllWorkersAreTaken) {
  std::atomic<bool> release{false};
  std::atomic<int> inside{0};
  std::thread blocker([&] {
    parallel_for(0, 4, 1, [&](int64_t, int64_t) {
      ++inside;
      while (!release) std::this_thread::yield();
    });
  });
  while (inside < 2) std::this_thread::yield();
  std::atomic<int> count{0};
  parallel_for(0, 10, 1, [&](int64_t, int64_t) { ++count; });
  EXPECT_EQ(count.load(), 10);
  release = true;
  blocker.join();
}

TEST_F(ThreadPool, NestedCallsStayInTheirThread) {
  EXPECT_FALSE(in_parallel_region());
  std::atomic<int> total{0};
  parallel_for(0, 8, 1, [&](int64_t, int64_t) {
    EXPECT_TRUE(in_parallel_region());
    const auto me = std::this_thread::get_id();
    parallel_for(0, 8, 1, [&](int64_t, int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), me);
      ++total;
    });
  });
  EXPECT_EQ(total.load(), 64);
  EXPECT_FALSE(in_parallel_region());
}

TEST_F(ThreadPool, TheFirstExceptionReachesTheCallerAfterAllEnded) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> running{0};
    const auto run = [&] {
      parallel_for(0, 64, 1, [&](int64_t begin, int64_t) {
        ++running;
        const bool bad = begin % 7 == 3;
        --running;
        if (bad) throw std::runtime_error("bad chunk");
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(running.load(), 0);
    EXPECT_FALSE(in_parallel_region());
  }
}

TEST_F(ThreadPool, AnInterruptStopsTheLoop) {
  struct Stop : std::exception {};
  const InterruptCheck before = set_interrupt_check([] { throw Stop(); });
  for (int threads : {1, 4}) {
    set_num_threads(threads);
    std::atomic<int> chunks{0};
    const auto run = [&] {
      parallel_for(0, 100000, 1, [&](int64_t, int64_t) {
        ++chunks;
        usleep(1000);
      });
    };
    EXPECT_THROW(run(), Stop);
    EXPECT_LT(chunks.load(), 100000);
  }
  set_interrupt_check(before);
}

TEST_F(ThreadPool, BadCountsAreErrors) {
  for (int64_t bad : {int64_t{0}, int64_t{-3}, int64_t{1} << 40}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { set_num_threads(bad); }),
                 {"set_num_threads(): argument 'count' must be from 1 to 1024, but got ",
                  std::to_string(bad)});
  }
  EXPECT_EQ(get_num_threads(), 4);
}

// Forks while other threads use the library, and lets the child do some of everything.
TEST_F(ThreadPool, AChildAfterForkWorks) {
  if (kForkHangs) GTEST_SKIP() << "the thread sanitizer's own locks do not survive fork()";
  const std::jthread busy([](const std::stop_token& end) {
    while (!end.stop_requested()) {
      parallel_for(0, 64, 1, [](int64_t, int64_t) {});
      (void)describe_site(1);  // takes the lock of the table, and does not fill it
      (void)Device("cpu");
    }
  });
  for (int round = 0; round < (kSanitized ? 5 : 40); ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);  // a lock that nobody will free must not hang the test
      std::atomic<int> count{0};
      parallel_for(0, 64, 1, [&](int64_t, int64_t) { ++count; });
      register_site({"file", "function", 1, ""});
      (void)Device("cpu");
      const bool added = (full({100000}, 1.0) + 1).sum().item<double>() == 200000;
      _exit(count == 64 && added ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    ASSERT_EQ(WEXITSTATUS(status), 0);
  }
}

class ControlGroups : public ::testing::Test {
 protected:
  ControlGroups()
      : root_(std::filesystem::temp_directory_path() /
              ("eagre_cgroup_" + std::to_string(getpid()))) {}
  ~ControlGroups() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  int limit() const { return cgroup_cpu_limit(root_ / "self", root_); }

  const std::filesystem::path root_;
};

TEST_F(ControlGroups, NoFilesNoLimit) { EXPECT_EQ(limit(), 0); }

TEST_F(ControlGroups, VersionTwoTakesTheSmallestOfTheParents) {
  write("self", "0::/a/b\n");
  write("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(limit(), 0);
  write("a/cpu.max", "250000 100000\n");
  EXPECT_EQ(limit(), 3);
  write("a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(limit(), 1);
}

TEST_F(ControlGroups, VersionOne) {
  write("self", "9:name=systemd:/\n2:cpu,cpuacct:/job\n");
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(limit(), 0);
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
  EXPECT_EQ(limit(), 4);
}

TEST(CpuCount, AtLeastOne) { EXPECT_GE(available_cpus(), 1); }

}  // namespace
}  // namespace eagre::test
