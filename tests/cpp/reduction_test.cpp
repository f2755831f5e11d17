// matmul and sum against the plainest loops, and their arguments.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

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

Values naive_sum(const Tensor& t, const std::vector<bool>& reduced) {
  const Values all = values(t);
  const Sizes sizes = list(t.sizes());
  int64_t kept = 1;
  for (size_t d = 0; d < sizes.size(); ++d) kept *= reduced[d] ? 1 : sizes[d];
  Values out(static_cast<size_t>(kept));
  for (size_t i = 0; i < all.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), place = 0, scale = 1;
    for (size_t d = sizes.size(); d-- > 0;) {
      if (!reduced[d]) {
        place += rest % sizes[d] * scale;
        scale *= sizes[d];
      }
      rest /= sizes[d];
    }
    out[static_cast<size_t>(place)] += all[i];
  }
  return out;
}

TEST(Sum, EverySetOfDimensions) {
  const Tensor base = arange_of({3, 4, 2, 5}, kFloat64);
  for (const Tensor& t : {base, base.transpose(0, 3), base.transpose(1, 2), base.unsqueeze(0)}) {
    const auto rank = static_cast<size_t>(t.dim());
    for (unsigned mask = 1; mask < (1U << rank); ++mask) {
      Sizes dims, kept_sizes, keepdim_sizes;
      std::vector<bool> reduced;
      for (size_t d = 0; d < rank; ++d) {
        reduced.push_back((mask >> d & 1) != 0);
        const auto dim = static_cast<int64_t>(d);
        if (reduced[d]) dims.push_back(d % 2 == 0 ? dim : dim - t.dim());
        if (!reduced[d]) kept_sizes.push_back(t.size(dim));
        keepdim_sizes.push_back(reduced[d] ? 1 : t.size(dim));
      }
      EXPECT_EQ(list(t.sum(Dims(dims)).sizes()), kept_sizes);
      EXPECT_EQ(list(t.sum(Dims(dims), true).sizes()), keepdim_sizes);
      EXPECT_EQ(values(t.sum(Dims(dims))), naive_sum(t, reduced));
    }
  }
}

TEST(Sum, LongRowsArePairwise) {
  const int64_t n = 1'000'003;
  const Tensor t = full({n}, 0.1F, kFloat32);
  const double exact = static_cast<double>(0.1F) * static_cast<double>(n);
  EXPECT_NEAR(t.sum().item<double>(), exact, exact * 1e-6);
  const Tensor strided = full({n / 2, 2}, 0.1F, kFloat32).transpose(0, 1);
  EXPECT_NEAR(values(strided.sum(1))[0], exact / 2, exact * 1e-6);
}

TEST(Sum, ZeroDimAndEmptyLists) {
  const Tensor scalar = tensor(3.0);
  for (int64_t dim : {0, -1}) EXPECT_EQ(scalar.sum(dim).item<double>(), 3);
  EXPECT_EQ(scalar.sum(-1, true).dim(), 0);
  EXPECT_EQ(scalar.sum().item<double>(), 3);
  const Tensor t = arange_of({2, 2});
  EXPECT_EQ(t.sum(Dims()).item<double>(), 6);
  EXPECT_EQ(list(t.sum({}, true).sizes()), (Sizes{1, 1}));
  EXPECT_EQ(values(full({3, 0}, 1.0).sum(1)), (Values{0, 0, 0}));
}

TEST(Sum, BadArguments) {
  const Tensor t = arange_of({2, 2});
  expect_parts(error_of(ErrorKind::kIndex, [&] { t.sum(2); }),
               {"sum(): argument 'dim'", "-2 to 1", "2"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          t.sum({0, -2});
                        }),
               {"without repetitions", "[0, -2]"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { t.sum_to_size({3}); }),
               {"sum_to_size", "[3]"});
  EXPECT_EQ(values(t.sum_to_size({1, 2})), (Values{2, 4}));
  EXPECT_EQ(values(t.sum_to_size({2})), (Values{2, 4}));
  EXPECT_EQ(values(t.sum_to_size({})), (Values{6}));
}

}  // namespace
}  // namespace eagre::test
