// Functions that are made of operators, as the C++ user calls them: overloads, lists, tuples.
#include <cstdint>

#include "cpp/support.h"

namespace eagre {
namespace {

TEST(Composites, SumsOfProducts) {
  const Tensor a = tensor({{1.0F, 2.0F}, {3.0F, 4.0F}}).requires_grad_();
  const Tensor b = tensor({5.0F, 6.0F});
  const Tensor c = einsum("ij,j->i", {a, b});
  EXPECT_EQ(c[1].item<float>(), 39);
  c.sum().backward();
  EXPECT_EQ(a.grad()[0][1].item<float>(), 6);
  EXPECT_EQ(tensordot(a, b, {1}, {0})[0].item<float>(), 17);
  EXPECT_EQ(tensor({3.0F, 4.0F}).norm().item<float>(), 5);
  EXPECT_EQ(norm(tensor({3.0F, -4.0F}), 1).item<float>(), 7);
  EXPECT_EQ(norm(tensor({3.0F, 4.0F}), "fro").item<float>(), 5);
  EXPECT_EQ(linalg_vector_norm(tensor({3.0F, 4.0F})).item<float>(), 5);
  EXPECT_THROW(einsum("ij,j->k", {a, b}), Error);
}

TEST(Composites, SeveralResults) {
  const Tensor x = tensor({3.0F, 1.0F, 2.0F});
  const auto [values, indices] = x.median(0);
  EXPECT_EQ(values.item<float>(), 2);
  EXPECT_EQ(indices.item<int64_t>(), 2);
  const auto [spread, middle] = var_mean(x);
  EXPECT_EQ(spread.item<float>(), 1);
  EXPECT_EQ(middle.item<float>(), 2);
  const auto [found, inverse, counts] = unique(tensor({3, 1, 3}), true, false, true);
  EXPECT_EQ(found.sizes(), Dims({2}));
  EXPECT_EQ(inverse.numel(), 0);
  EXPECT_EQ(counts[1].item<int64_t>(), 2);
}

TEST(Composites, Overloads) {
  const Tensor x = arange(6);
  EXPECT_EQ(tensor_split(x, 4).size(), 4U);
  EXPECT_EQ(tensor_split(x, {1, 2})[2].numel(), 4);
  EXPECT_EQ(x.tensor_split(tensor({3})).size(), 2U);
  EXPECT_EQ(repeat_interleave(x, 2).numel(), 12);
  EXPECT_EQ(repeat_interleave(tensor({1, 2})).numel(), 3);
  EXPECT_EQ(quantile(tensor({1.0F, 3.0F}), 0.5).item<float>(), 2);
  EXPECT_EQ(searchsorted(x, 4).item<int64_t>(), 4);
  EXPECT_EQ(atleast_2d(x).dim(), 2);
  EXPECT_EQ(atleast_2d({x, x}).size(), 2U);
}

TEST(Composites, FormsFollowFromTheRecord) {
  const Tensor sum = tensor({1.0F});
  sum.addmv_(tensor({{2.0F, 3.0F}}), tensor({4.0F, 5.0F}));
  EXPECT_EQ(sum.item<float>(), 24);
  const Tensor out = empty({0});
  kron_out(out, tensor({1.0F, 2.0F}), tensor({3.0F, 4.0F}));
  EXPECT_EQ(out[3].item<float>(), 8);
  const Tensor square = zeros({2, 2});
  square.fill_diagonal_(1);
  EXPECT_EQ(square.sum().item<float>(), 2);
}

}  // namespace
}  // namespace eagre
