// Walks that are cut into chunks and tiles: large operands of every geometry, against one element
// at a time.
#include <cstddef>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>
#include "cpp/support.h"

namespace eagre::test {
namespace {

class LargeWalk : public ::testing::TestWithParam<int> {
 protected:
  LargeWalk() { set_num_threads(GetParam()); }
  ~LargeWalk() override { set_num_threads(before_); }
  const int before_ = get_num_threads();
};
INSTANTIATE_TEST_SUITE_P(Threads, LargeWalk, ::testing::Values(1, 4));

// 0 … 250, so that every dtype holds it.
Tensor pattern(Dims sizes, DType dtype, int seed = 1) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  Values list;
  for (int64_t i = 0; i < count; ++i) list.push_back(static_cast<double>((i * 7 + seed) % 119));
  return make(sizes, list, dtype);
}

double at(const Values& list, int64_t i) { return list[static_cast<size_t>(i)]; }

TEST_P(LargeWalk, TransposedCopyOfEveryElementSize) {
  constexpr int64_t kRows = 301, kColumns = 517;  // no multiples of a tile
  for (DType dtype : {kUInt8, kInt16, kFloat32, kFloat64}) {
    const Tensor x = pattern({kRows, kColumns}, dtype);
    const Values before = values(x), after = values(x.transpose(0, 1).contiguous());
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < kColumns; ++j) {
        ASSERT_EQ(at(after, j * kRows + i), at(before, i * kColumns + j)) << to_string(dtype);
      }
    }
  }
}

TEST_P(LargeWalk, TransposedAndStraightOperands) {
  constexpr int64_t kRows = 400, kColumns = 350;
  const Tensor x = pattern({kColumns, kRows}, kFloat32),
               y = pattern({kRows, kColumns}, kFloat32, 5);
  const Values a = values(x), b = values(y), sum = values(x.transpose(0, 1) + y);
  const Values mixed = values(y.to(kFloat64) * x.transpose(0, 1));
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kColumns; ++j) {
      const double left = at(a, j * kRows + i), right = at(b, i * kColumns + j);
      ASSERT_EQ(at(sum, i * kColumns + j), left + right);
      ASSERT_EQ(at(mixed, i * kColumns + j), left * right);
    }
  }
}

TEST_P(LargeWalk, PlanesOfTransposedMatrices) {
  constexpr int64_t kPlanes = 5, kRows = 130, kColumns = 140;
  const Tensor x = pattern({kPlanes, kRows, kColumns}, kFloat32);
  const Values before = values(x), after = values(x.transpose(1, 2).contiguous());
  const Values front = values(x.transpose(0, 2).contiguous());
  for (int64_t p = 0; p < kPlanes; ++p) {
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < kColumns; ++j) {
        const double expected = at(before, (p * kRows + i) * kColumns + j);
        ASSERT_EQ(at(after, (p * kColumns + j) * kRows + i), expected);
        ASSERT_EQ(at(front, (j * kRows + i) * kPlanes + p), expected);
      }
    }
  }
}

TEST_P(LargeWalk, BroadcastRowsColumnsAndLongRows) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{1000, 99}, {2, 100000}, {100000, 2}}) {
    const Tensor x = pattern({rows, columns}, kFloat32);
    const Tensor row = pattern({columns}, kFloat32, 3), column = pattern({rows, 1}, kFloat32, 4);
    const Values a = values(x), r = values(row), c = values(column);
    const Values by_row = values(x + row), by_column = values(x + column), number = values(x + 2);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        const int64_t here = i * columns + j;
        ASSERT_EQ(at(by_row, here), at(a, here) + at(r, j));
        ASSERT_EQ(at(by_column, here), at(a, here) + at(c, i));
        ASSERT_EQ(at(number, here), at(a, here) + 2);
      }
    }
  }
}

TEST_P(LargeWalk, InPlaceAndReusedOperands) {
  const Tensor x = full({200000}, 1.0), y = full({200000}, 2.0);
  Tensor target = x.clone();
  target.add_(y);
  EXPECT_EQ(target.sum().item<double>(), 600000);
  target.mul_(target);
  EXPECT_EQ(target.sum().item<double>(), 1800000);
}

TEST(LargeTensors, KnowThatTheyAreLarge) {
  const Tensor small = full({64}, 1.0), large = full({200000}, 1.0);
  EXPECT_TRUE(small.get().is_small_contiguous());
  EXPECT_FALSE(large.get().is_small_contiguous());
  EXPECT_FALSE(small.expand({64, 64}).get().is_small_contiguous());
  EXPECT_TRUE((small + small).get().is_small_contiguous());
  EXPECT_FALSE((large + large).get().is_small_contiguous());
  EXPECT_EQ(large.get().key.bits(), (large * 2).get().key.bits());
}

}  // namespace
}  // namespace eagre::test
