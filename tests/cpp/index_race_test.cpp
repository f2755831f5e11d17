// Indices that another thread writes to while they are used: the result may be any, or an index
// error, but the memory of others is not touched. (Not so gather, scatter and take:
// ARCHITECTURE.md.)
#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "cpp/support.h"

namespace eagre::test {
namespace {

// A thread that makes one element of a tensor of int64 a bad index and a good one, in turns.
class Disturbance {
 public:
  explicit Disturbance(const Tensor& index)
      : thread_([this, place = index.data_ptr<int64_t>() + index.numel() / 2] {
          while (!stop_) {
            // Each for a while, or a processor shows others only the second.
            for (const int64_t value : {int64_t{1} << 40, int64_t{1}}) {
              __atomic_store_n(place, value, __ATOMIC_RELAXED);
              for (int i = 0; i < 100; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
            }
          }
        }) {}
  ~Disturbance() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST(IndexRace, LeadsNowhereElse) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the race is what the sanitizer looks for";
#endif
  constexpr int64_t kCount = 2000, kSize = 10;
  const Tensor index = zeros({kCount}, kInt64);
  const Tensor rows = ones({kSize, 2}), more_rows = ones({kCount, 2});
  const Tensor scores = ones({kCount, kSize});
  const std::pair<const char*, std::function<void()>> calls[] = {
      {"index_select", [&] { rows.index_select(0, index); }},
      {"index", [&] { rows.index({index}); }},
      {"index_put_", [&] { rows.index_put_({index}, 2); }},
      {"index_add", [&] { rows.index_add(0, index, more_rows); }},
      {"index_copy", [&] { rows.index_copy(0, index, more_rows); }},
      {"index_fill", [&] { rows.index_fill(0, index, 3); }},
      {"embedding", [&] { embedding(rows, index); }},
      {"cross_entropy", [&] { cross_entropy(scores, index); }},
      {"nll_loss", [&] { nll_loss(scores, index); }},
  };
  const Disturbance disturbance(index);
  for (const auto& [name, call] : calls) {
    SCOPED_TRACE(name);
    int good = 0;
    // The other thread may be stopped for a while right after it wrote the bad one.
    for (int i = 0; i < 100000 && good < 500; ++i) {
      try {
        call();
        ++good;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kIndex) << error.message();
      }
    }
    EXPECT_GT(good, 0);
  }
}

}  // namespace
}  // namespace eagre::test
