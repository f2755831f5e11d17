// sum against the plainest loops, and its arguments.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpp/support.h"

namespace eagre::test {
namespace {

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
  const Tensor scalar = tensor(3.0, kFloat64);
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
               {"sum(): Dimension out of range", "[-2, 1]", "'dim'"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          t.sum({0, -2});
                        }),
               {"appears multiple times", "[0, -2]"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { t.sum_to_size({3}); }),
               {"sum_to_size", "[3]"});
  EXPECT_EQ(values(t.sum_to_size({1, 2})), (Values{2, 4}));
  EXPECT_EQ(values(t.sum_to_size({2})), (Values{2, 4}));
  EXPECT_EQ(values(t.sum_to_size({})), (Values{6}));
}

}  // namespace
}  // namespace eagre::test
