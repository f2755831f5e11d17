// matmul against the plainest loops, and its arguments.
#include <cstddef>
#include <cstdint>

#include "cpp/support.h"

namespace eagre::test {
namespace {

// Row-major product of batches, by the definition.
Values naive_matmul(const Tensor& a, const Tensor& b, const Sizes& result) {
  const Tensor left = (a.dim() == 1 ? a.unsqueeze(0) : a);
  const Tensor right = (b.dim() == 1 ? b.unsqueeze(1) : b);
  const int64_t m = left.size(-2), k = left.size(-1), n = right.size(-1);
  Sizes batch(result.begin(), result.end() - (a.dim() > 1) - (b.dim() > 1));
  const auto spread = [&](const Tensor& t, int64_t rows, int64_t columns) {
    Sizes sizes = batch;
    sizes.push_back(rows);
    sizes.push_back(columns);
    return values(t.expand(sizes));
  };
  const Values x = spread(left, m, k), y = spread(right, k, n);
  int64_t batches = 1;
  for (int64_t size : batch) batches *= size;
  Values out;
  for (int64_t s = 0; s < batches; ++s) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l) {
          sum += x[static_cast<size_t>((s * m + i) * k + l)] *
                 y[static_cast<size_t>((s * k + l) * n + j)];
        }
        out.push_back(sum);
      }
    }
  }
  return out;
}

TEST(Matmul, AgainstTheDefinition) {
  struct Row {
    Sizes a, b, result;
  };
  const Row rows[] = {
      {{3}, {3}, {}},
      {{3}, {3, 4}, {4}},
      {{2, 3}, {3}, {2}},
      {{2, 3}, {3, 4}, {2, 4}},
      {{5, 3}, {3, 1}, {5, 1}},
      {{9, 7}, {7, 13}, {9, 13}},
      {{2, 0}, {0, 3}, {2, 3}},
      {{0, 3}, {3, 2}, {0, 2}},
      {{6, 2, 3}, {3, 4}, {6, 2, 4}},
      {{2, 3}, {5, 3, 4}, {5, 2, 4}},
      {{5, 1, 2, 3}, {4, 3, 2}, {5, 4, 2, 2}},
      {{3}, {2, 5, 3, 4}, {2, 5, 4}},
      {{2, 5, 4, 3}, {3}, {2, 5, 4}},
      {{0, 2, 3}, {3, 2}, {0, 2, 2}},
      {{1, 1}, {1, 1}, {1, 1}},
  };
  for (const Row& row : rows) {
    for (DType dtype : {kInt64, kFloat32, kFloat64}) {
      const Tensor a = arange_of(row.a, dtype) + 1;
      const Tensor b = arange_of(row.b, dtype) + -2;
      const Tensor product = matmul(a, b);
      EXPECT_EQ(list(product.sizes()), row.result);
      EXPECT_EQ(product.dtype(), dtype);
      EXPECT_EQ(values(product), naive_matmul(a, b, row.result))
          << to_string(Dims(row.a)) << to_string(Dims(row.b));
      if (row.a.size() < 2 || row.b.size() < 2) continue;
      // The same numbers lying the other way round in memory.
      const Tensor a_turned = a.transpose(-1, -2).contiguous().transpose(-1, -2);
      const Tensor b_turned = b.transpose(-1, -2).contiguous().transpose(-1, -2);
      EXPECT_EQ(values(matmul(a_turned, b_turned)), values(product));
    }
  }
}

TEST(Matmul, ExpandedInputs) {
  const Tensor column = arange_of({3, 1}).expand({3, 4});
  const Tensor row = arange_of({1, 5}).expand({4, 5});
  EXPECT_EQ(values(matmul(column, row)), naive_matmul(column, row, {3, 5}));
}

// Row: Paddle A17, Paddle defect 15
TEST(Matmul, BadArguments) {
  const Tensor a = arange_of({2, 3});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { matmul(a, a); }),
               {"matmul(): argument 'other'", "3 rows", "[2, 3]", "transpose 'other'"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { matmul(a, tensor(1.0F)); }),
               {"'other'", "0-dim"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { matmul(tensor(1.0F), a); }),
               {"'input'", "0-dim"});
  expect_parts(error_of(ErrorKind::kType,
                        [&] {
                          matmul(a, arange_of({3, 2}, kFloat64));
                        }),
               {"'other'", "float32", "float64", ".to(dtype)"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          matmul(arange_of({2, 1, 3}), arange_of({5, 3, 2}));
                        }),
               {"[2]", "[5]"});
  expect_parts(error_of(ErrorKind::kUnimplemented,
                        [&] { matmul(a.to(kBool), a.to(kBool).transpose(0, 1)); }),
               {"matmul()", "bool", "int64, float16, bfloat16, float32, float64"});
}

}  // namespace
}  // namespace eagre::test
