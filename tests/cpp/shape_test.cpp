// Sizes and strides: arithmetic, broadcasting, views, limits.
#include <cstdint>
#include <string>
#include <utility>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(Shape, ContiguousAndDense) {
  struct Row {
    Sizes sizes, strides;
    bool contiguous, dense;
  };
  const Row rows[] = {
      {{}, {}, true, true},
      {{3}, {1}, true, true},
      {{3}, {2}, false, false},
      {{3}, {0}, false, false},
      {{1}, {7}, true, true},
      {{2, 3}, {3, 1}, true, true},
      {{2, 3}, {1, 2}, false, true},
      {{2, 3}, {4, 1}, false, false},
      {{2, 1, 3}, {3, 99, 1}, true, true},
      {{0, 3}, {17, 5}, true, true},
      {{2, 2}, {1, 1}, false, false},
      {{2, 3, 4}, {1, 8, 2}, false, true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(is_contiguous(row.sizes, row.strides), row.contiguous) << to_string(Dims(row.sizes));
    EXPECT_EQ(is_dense(row.sizes, row.strides), row.dense) << to_string(Dims(row.sizes));
  }
}

TEST(Shape, BroadcastTable) {
  struct Row {
    Sizes a, b, result;
  };
  const Row rows[] = {
      {{}, {}, {}},
      {{}, {3}, {3}},
      {{1}, {3}, {3}},
      {{2, 3}, {3}, {2, 3}},
      {{2, 1}, {1, 3}, {2, 3}},
      {{0}, {1}, {0}},
      {{2, 0}, {1, 1}, {2, 0}},
      {{5, 1, 4, 1}, {3, 1, 2}, {5, 3, 4, 2}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(list(broadcast_shapes("op", row.a, row.b)), row.result);
    EXPECT_EQ(list(broadcast_shapes("op", row.b, row.a)), row.result);
    EXPECT_TRUE(is_expandable_to(row.a, row.result));
  }
  for (const auto& [a, b] : {std::pair<Sizes, Sizes>{{2}, {3}}, {{0}, {2}}, {{2, 3}, {3, 2}}}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { broadcast_shapes("op", a, b); }),
                 {"op()", to_string(Dims(a)), to_string(Dims(b))});
  }
}

TEST(Shape, WrapDim) {
  EXPECT_EQ(wrap_dim("op", "dim", -1, 3), 2);
  EXPECT_EQ(wrap_dim("op", "dim", 0, 0), 0);
  EXPECT_EQ(wrap_dim("op", "dim", -1, 0), 0);
  for (int64_t bad : {int64_t{3}, int64_t{-4}, INT64_MAX, INT64_MIN}) {
    expect_parts(error_of(ErrorKind::kIndex, [&] { wrap_dim("op", "dim", bad, 3); }),
                 {"op(): Dimension out of range", "[-3, 2]", "'dim'", std::to_string(bad)});
  }
}

TEST(Shape, HugeNegativeAndOverflowingSizes) {
  const int64_t big = int64_t{1} << 40;
  const Sizes bad[] = {{-1}, {3, -2}, {INT64_MIN}};
  for (const Sizes& sizes : bad) {
    for (auto make_one : {+[](Dims s) { return full(s, 1.0); }, +[](Dims s) { return randn(s); }}) {
      expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { make_one(sizes); }),
                   {"non-negative", to_string(Dims(sizes)), "shape_test.cpp"});
    }
  }
  const Sizes overflowing[] = {{big, big}, {big, big, 0}, {INT64_MAX, INT64_MAX, 2}};
  for (const Sizes& sizes : overflowing) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { full(sizes, 1.0); }),
                 {"full()", to_string(Dims(sizes))});
  }
  for (const Sizes& sizes : {Sizes{INT64_MAX}, Sizes{INT64_MAX / 16 + 1}}) {
    expect_parts(error_of(ErrorKind::kOutOfMemory, [&] { full(sizes, 1.0); }),
                 {"full()", to_string(Dims(sizes)), "for which no machine has memory"});
  }
  const Sizes too_large[] = {{INT64_MAX / 16}, {big, 1 << 10}};
  for (const Sizes& sizes : too_large) {
    expect_parts(error_of(ErrorKind::kOutOfMemory, [&] { full(sizes, 1.0); }), {"bytes"});
  }
}

TEST(Shape, ExpandedTensorsMayBeHugeButNotTheirResults) {
  const int64_t big = int64_t{1} << 40;
  const Tensor row = Tensor(tensor({1.0F})).expand({big});
  EXPECT_EQ(row.numel(), big);
  error_of(ErrorKind::kOutOfMemory, [&] { row + 1; });
  error_of(ErrorKind::kOutOfMemory, [&] { row.clone(); });
  error_of(ErrorKind::kOutOfMemory, [&] { row.contiguous(); });
  const Tensor column = row.unsqueeze(1);
  error_of(ErrorKind::kInvalidArgument, [&] { row + column; });
  error_of(ErrorKind::kInvalidArgument, [&] { column.expand({big, big}); });
}

TEST(View, TransposeExpandSqueezeShareMemory) {
  const Tensor t = arange_of({2, 3});
  const Tensor swapped = t.transpose(0, -1);
  EXPECT_EQ(list(swapped.sizes()), (Sizes{3, 2}));
  EXPECT_EQ(list(swapped.strides()), (Sizes{1, 3}));
  EXPECT_EQ(values(swapped), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(t.data_ptr(), swapped.data_ptr());
  const Tensor wide = t.unsqueeze(1).expand({-1, 2, 3});
  EXPECT_EQ(list(wide.sizes()), (Sizes{2, 2, 3}));
  EXPECT_EQ(values(wide), (Values{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(values(t.expand({2, 2, 3})), (Values{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(list(t.unsqueeze(-1).sizes()), (Sizes{2, 3, 1}));
  EXPECT_EQ(list(t.unsqueeze(0).squeeze(0).sizes()), (Sizes{2, 3}));
  EXPECT_EQ(list(t.squeeze(0).sizes()), (Sizes{2, 3}));
  const Tensor scalar = tensor(3.0, kFloat64);
  EXPECT_EQ(scalar.transpose(0, -1).dim(), 0);
  EXPECT_EQ(scalar.squeeze(0).dim(), 0);
  EXPECT_EQ(list(scalar.unsqueeze(-1).sizes()), (Sizes{1}));
  EXPECT_EQ(list(scalar.expand({2, 0}).sizes()), (Sizes{2, 0}));
}

TEST(View, BadArguments) {
  const Tensor t = arange_of({2, 3});
  expect_parts(error_of(ErrorKind::kIndex, [&] { t.transpose(0, 2); }),
               {"transpose", "dim1", "[-2, 1]"});
  expect_parts(error_of(ErrorKind::kIndex, [&] { t.unsqueeze(4); }), {"unsqueeze", "[-3, 2]"});
  expect_parts(error_of(ErrorKind::kIndex, [&] { t.squeeze(-3); }), {"squeeze"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { t.expand({3}); }),
               {"expand", "dimensions in the tensor (2)"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          t.expand({4, 3});
                        }),
               {"[4, 3]", "dimension 0"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          t.expand({-1, 2, 3});
                        }),
               {"non-existing dimension 0"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { t.expand({-2, 3}); }), {"(-2)"});
}

TEST(View, ContiguousCopiesOnlyWhenNeeded) {
  const Tensor t = arange_of({2, 3});
  EXPECT_TRUE(t.contiguous().is_same(t));
  const Tensor packed = t.transpose(0, 1).contiguous();
  EXPECT_EQ(list(packed.strides()), (Sizes{2, 1}));
  EXPECT_EQ(values(packed), (Values{0, 3, 1, 4, 2, 5}));
}

}  // namespace
}  // namespace eagre::test
