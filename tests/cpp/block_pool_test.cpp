// Free lists: blocks that change threads, bounds, trimming.
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <eagre/base/block_pool.h>

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

TEST(BlockPool, ListsAreBoundedAndTrimmed) {
  if (kSanitized) GTEST_SKIP() << "caches are off";
  trim_block_pools();
  const size_t before = mallinfo2().uordblks;
  {
    std::vector<Tensor> many;
    for (int i = 0; i < 500'000; ++i) many.push_back(tensor(1.0F));
    EXPECT_GT(mallinfo2().uordblks, before + 500'000 * size_t{200});
  }
  const size_t kept = mallinfo2().uordblks - before;
  EXPECT_LT(kept, size_t{80} << 20) << "the depot holds at most 64 MiB";
  trim_block_pools();
  EXPECT_LT(mallinfo2().uordblks, before + (size_t{1} << 20));
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
