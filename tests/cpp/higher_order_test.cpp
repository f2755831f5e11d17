// Gradients of gradients.
#include <cmath>
#include <optional>

#include "cpp/support.h"

namespace eagre::test {
namespace {

Tensor d(const Tensor& y, const Tensor& x) { return autograd::grad({y}, {x}, {}, true, true)[0]; }

// Row: PyTorch B7, Paddle B23
TEST(HigherOrder, PowerOfFour) {
  const Tensor x = tensor(3.0, dtype(kFloat64).requires_grad());
  const Tensor first = d((x * x) * (x * x), x);
  const Tensor second = d(first, x);
  const Tensor third = d(second, x);
  const Tensor fourth = d(third, x);
  EXPECT_EQ(first.item<double>(), 4 * 27);
  EXPECT_EQ(second.item<double>(), 12 * 9);
  EXPECT_EQ(third.item<double>(), 24 * 3);
  EXPECT_EQ(fourth.item<double>(), 24);
}

TEST(HigherOrder, ExpThroughItsSavedOutput) {
  const Tensor x = tensor({0.5}, dtype(kFloat64).requires_grad());
  Tensor y = (x * 2).exp();
  for (int order = 1; order <= 4; ++order) {
    y = d(y, x);
    EXPECT_NEAR(y.item<double>(), std::pow(2, order) * std::exp(1.0), 1e-12);
  }
}

// Row: Paddle B23
TEST(HigherOrder, MatmulAndSum) {
  const Tensor a = arange_of({2, 3}, TensorOptions(kFloat64).requires_grad());
  const Tensor b = arange_of({3, 2}, TensorOptions(kFloat64).requires_grad());
  const Tensor y = matmul(a, b);
  const Tensor first = d((y * y).sum(), a);
  EXPECT_EQ(values(first), values(matmul(y * 2, b.transpose(0, 1))));
  // d/da of sum(2 (a b) bᵀ) = 2 · 1 · (b bᵀ)
  const Tensor ones = full({2, 3}, 1.0, kFloat64);
  EXPECT_EQ(values(d(first.sum(), a)), values(matmul(ones, matmul(b, b.transpose(0, 1))) * 2));
}

TEST(HigherOrder, BroadcastAndCast) {
  const Tensor x = tensor({2.0F}, requires_grad());
  const Tensor w = tensor({1.0, 2.0, 3.0}, dtype(kFloat64).requires_grad());
  const Tensor first = d((x * w * w).sum(), w);
  EXPECT_EQ(values(d(first.sum(), x)), (Values{12}));
  EXPECT_EQ(d(first.sum(), x).dtype(), kFloat32);
}

// Row: PyTorch B7
TEST(HigherOrder, BackwardWithCreateGraph) {
  const Tensor x = tensor({2.0}, dtype(kFloat64).requires_grad());
  (x * x * x).backward({}, std::nullopt, true);
  const Tensor first = x.grad();
  EXPECT_EQ(values(first), (Values{12}));
  x.set_grad(Tensor());
  first.backward();
  EXPECT_EQ(values(x.grad()), (Values{12}));
}

// Row: Paddle B27
TEST(HigherOrder, GivenGradientIsDifferentiable) {
  const Tensor x = leaf({3}), v = leaf({5});
  const Tensor g = autograd::grad({x * x}, {x}, {v}, false, true)[0];
  EXPECT_EQ(values(g), (Values{30}));
  EXPECT_EQ(values(autograd::grad({g}, {v})[0]), (Values{6}));
}

TEST(HigherOrder, WithoutCreateGraphNothingIsRecorded) {
  const Tensor x = leaf({3});
  EXPECT_FALSE(autograd::grad({x * x}, {x})[0].requires_grad());
}

TEST(HigherOrder, InPlaceNodes) {
  const Tensor x = tensor({2.0}, dtype(kFloat64).requires_grad());
  const Tensor y = x * 1;
  y.mul_(x);  // x²
  y.exp_();
  const Tensor first = d(y, x);  // 2x e^(x²)
  EXPECT_NEAR(first.item<double>(), 4 * std::exp(4.0), 1e-9);
  EXPECT_NEAR(d(first, x).item<double>(), (2 + 16) * std::exp(4.0), 1e-9);
}

}  // namespace
}  // namespace eagre::test
