// Free lists: blocks that change threads, bounds, trimming.
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <eagre/base/block_pool.h>
#include <eagre/base/slabs.h>

#include "cpp/child.h"
#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(BlockPool, ABlockComesBack) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  void* first = allocate_block(100);
  free_block(first, 100);
  void* second = allocate_block(97);  // the same class of 32 bytes
  EXPECT_EQ(first, second);
  free_block(second, 97);
}

TEST(BlockPool, EveryClassHoldsWhatWasAskedFor) {
  for (size_t bytes = 1; bytes <= kMaxPooledBytes; ++bytes) {
    auto* block = static_cast<char*>(allocate_block(bytes));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0U);
    block[0] = block[bytes - 1] = 1;
    free_block(block, bytes);
  }
}

TEST(BlockPool, BlocksFreedByAnotherThread) {
  std::vector<Tensor> made(5000);
  for (int round = 0; round < 4; ++round) {
    std::thread producer([&] {
      for (size_t i = 0; i < made.size(); ++i) made[i] = tensor(static_cast<double>(i), kFloat64);
    });
    producer.join();
    double sum = 0;
    for (Tensor& t : made) {
      sum += t.item<double>();
      t = Tensor();
    }
    EXPECT_EQ(sum, 5000.0 * 4999 / 2);
  }
}

TEST(BlockPool, ManyThreadsTradeBlocks) {
  // Everyone frees what the neighbour made, all the time.
  constexpr int kThreads = 4;
  std::atomic<bool> full[kThreads] = {};
  Tensor mail[kThreads];
  in_threads(kThreads, [&](int me) {
    const int next = (me + 1) % kThreads;
    for (int i = 0; i < 3000; ++i) {
      while (full[next]) std::this_thread::yield();
      mail[next] = tensor({static_cast<float>(i), 1.0F}) + 1;
      full[next] = true;
      while (!full[me]) std::this_thread::yield();
      EXPECT_EQ(mail[me].get().storage->refs.load(), 1U);
      mail[me] = Tensor();
      full[me] = false;
    }
  });
}

// Bytes of memory that the process has touched and not given back.
size_t resident() {
  size_t all = 0, touched = 0;
  std::ifstream("/proc/self/statm") >> all >> touched;
  return touched * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

std::vector<Tensor> make_many(int count) {
  std::vector<Tensor> many;
  many.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) many.push_back(tensor(1.0F));
  return many;
}

TEST(BlockPool, ListsAreBoundedAndTrimmed) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  trim_block_pools();
  const size_t before = resident();
  {
    const std::vector<Tensor> many = make_many(500'000);
    EXPECT_GT(resident(), before + 500'000 * size_t{200});
  }
  EXPECT_LT(resident(), before + (size_t{90} << 20)) << "the depot holds at most 64 MiB";
  trim_block_pools();
  EXPECT_LT(resident(), before + (size_t{10} << 20));
}

TEST(BlockPool, ManyBlocksAreCutFromSlabs) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  std::vector<Tensor> many = make_many(100'000);
  EXPECT_FALSE(is_in_slab(&many));
  EXPECT_TRUE(is_in_slab(many.back().impl()));
  for (size_t i = 0; i < many.size(); ++i) {  // each has bytes of its own
    many[i].fill_(static_cast<double>(i));
  }
  for (size_t i = 0; i < many.size(); ++i) {
    ASSERT_EQ(many[i].item<float>(), static_cast<float>(i));
  }
}

TEST(BlockPool, SlabsThatAreHalfEmptyAreFilledAgain) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  std::vector<Tensor> many = make_many(500'000);
  for (size_t i = 0; i < many.size(); i += 2) many[i] = Tensor();
  trim_block_pools();
  const size_t half = resident();
  for (size_t i = 0; i < many.size(); i += 2) many[i] = tensor(2.0F);
  EXPECT_LT(resident(), half + (size_t{16} << 20)) << "no new slabs";
  for (size_t i = 0; i < many.size(); ++i) {
    ASSERT_EQ(many[i].item<float>(), i % 2 == 0 ? 2.0F : 1.0F);
  }
}

TEST(BlockPool, ThreadsShareSlabs) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  std::vector<std::vector<Tensor>> made(4);
  for (int round = 0; round < 3; ++round) {
    in_threads(4, [&](int me) { made[me] = make_many(30'000); });
    in_threads(4, [&](int me) { made[(me + 1) % 4].clear(); });  // what the neighbour made
    in_threads(4, [](int) { trim_block_pools(); });
  }
}

// Addresses for slabs are taken once in a process, so this one has a process of its own.
TEST(BlockPool, DISABLED_AddressesAreCounted) {
  // More than the slabs would take: large tensors are to have them.
  const rlimit limit{size_t{70} << 30, size_t{70} << 30};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  const std::vector<Tensor> many = make_many(20'000);
  std::cout << "in a slab: " << is_in_slab(many.back().impl()) << '\n';
}

TEST(BlockPool, WhereAddressesAreCountedBlocksComeFromTheHeap) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  EXPECT_EQ(lines_of_child("", "BlockPool.DISABLED_AddressesAreCounted", "in a slab: "),
            std::vector<std::string>{"0"});
}

TEST(BlockPool, ThreadLeavesNothingBehind) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  const auto work = [] {
    std::vector<Tensor> some;
    for (int i = 0; i < 900; ++i) some.push_back(tensor(1.0F));
  };
  std::thread(work).join();
  trim_block_pools();
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 50; ++i) std::thread(work).join();
  trim_block_pools();
  EXPECT_LT(mallinfo2().uordblks, before + (size_t{1} << 20));
}

}  // namespace
}  // namespace eagre::test
