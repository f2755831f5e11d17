// backward(): formulas, broadcasting, dtypes, roots, what is kept and what is refused.
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

TEST(Backward, Formulas) {
  const Tensor a = leaf({1, 2}), b = leaf({3, 5});
  a.add(b, 3).sum().backward();
  EXPECT_EQ(values(a.grad()), (Values{1, 1}));
  EXPECT_EQ(values(b.grad()), (Values{3, 3}));
  const Tensor c = leaf({0, 1});
  c.exp().sum().backward();
  EXPECT_EQ(values(c.grad()), values(c.detach().exp()));
  const Tensor m = make({2, 3}, {1, 2, 3, 4, 5, 6}, requires_grad());
  const Tensor n = make({3, 2}, {1, 0, 2, 1, 0, 3}, requires_grad());
  matmul(m, n).sum().backward();
  EXPECT_EQ(values(m.grad()), (Values{1, 3, 3, 1, 3, 3}));
  EXPECT_EQ(values(n.grad()), (Values{5, 5, 7, 7, 9, 9}));
}

// d/dx of sum(f(x) * weights) against differences.
template <class F>
void expect_numeric(const Tensor& x, F f) {
  const Tensor y = f(x);
  manual_seed(3);
  const Tensor weights = randn(y.sizes(), kFloat64);
  const Tensor got = autograd::grad({(y * weights).sum()}, {x}, {}, true)[0];
  NoGradGuard no_grad;
  const Values at = values(x);
  const double h = 1e-6;
  Values numeric;
  for (size_t i = 0; i < at.size(); ++i) {
    double side[2];
    for (int s : {0, 1}) {
      Values moved = at;
      moved[i] += s == 0 ? -h : h;
      side[s] = (f(make(x.sizes(), moved, kFloat64)) * weights).sum().template item<double>();
    }
    numeric.push_back((side[1] - side[0]) / (2 * h));
  }
  const Values exact = values(got);
  ASSERT_EQ(list(got.sizes()), list(x.sizes()));
  for (size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(exact[i], numeric[i], 1e-5) << i;
}

Tensor random_leaf(Dims sizes) { return randn(sizes, TensorOptions(kFloat64).requires_grad()); }

// Row: PyTorch C5
TEST(Backward, NumericAndBroadcasting) {
  manual_seed(2);
  const Tensor x = random_leaf({2, 1, 3});
  const Tensor other = randn({4, 3}, kFloat64);
  expect_numeric(x, [&](const Tensor& t) { return t + other; });
  expect_numeric(x, [&](const Tensor& t) { return other.add(t, 0.5); });
  expect_numeric(x, [&](const Tensor& t) { return t * other; });
  expect_numeric(x, [&](const Tensor& t) { return other * t; });
  expect_numeric(x, [&](const Tensor& t) { return t * t.transpose(1, 2); });
  expect_numeric(x, [](const Tensor& t) { return t.sum({0, 2}); });
  expect_numeric(x, [](const Tensor& t) { return t.sum(-1, true); });
  expect_numeric(x, [](const Tensor& t) { return t.expand({5, 2, 4, 3}); });
  expect_numeric(x, [](const Tensor& t) { return t.squeeze(1).exp(); });
  expect_numeric(x, [](const Tensor& t) { return t.squeeze(0).unsqueeze(-1); });
  expect_numeric(x, [](const Tensor& t) { return t.sum_to_size({1, 1, 3}); });
  expect_numeric(x, [](const Tensor& t) { return t.transpose(0, 2).contiguous(); });
  expect_numeric(x, [](const Tensor& t) { return t.transpose(0, 2).clone() * 2; });
  expect_numeric(random_leaf({}), [&](const Tensor& t) { return t * other; });
  expect_numeric(random_leaf({}), [&](const Tensor& t) { return t.sum(-1) + t.unsqueeze(0); });
}

TEST(Backward, NumericMatmul) {
  manual_seed(4);
  const Sizes shapes[][2] = {{{3}, {3}},
                             {{3}, {3, 2}},
                             {{2, 3}, {3}},
                             {{2, 3}, {3, 4}},
                             {{5, 2, 3}, {3, 4}},
                             {{2, 3}, {5, 3, 2}},
                             {{4, 1, 2, 3}, {5, 3, 2}},
                             {{3}, {2, 3, 4}},
                             {{2, 4, 3}, {3}}};
  for (const auto& [left, right] : shapes) {
    SCOPED_TRACE(concat(Dims(left), " ", Dims(right)));
    const Tensor a = random_leaf(left), b = random_leaf(right);
    expect_numeric(a, [&](const Tensor& t) { return matmul(t, b.detach()); });
    expect_numeric(b, [&](const Tensor& t) { return matmul(a.detach(), t); });
  }
}

// Row: PyTorch A18, Paddle D3, Paddle D7
TEST(Backward, DtypesOfGradientsFollowTheLeaf) {
  const Tensor x = leaf({1, 2});
  const Tensor wide = tensor({1.0, 2.0}, dtype(kFloat64).requires_grad());
  const Tensor y = x * wide;
  EXPECT_EQ(y.dtype(), kFloat64);
  y.sum().backward();
  EXPECT_EQ(x.grad().dtype(), kFloat32);
  EXPECT_EQ(wide.grad().dtype(), kFloat64);
  const Tensor z = leaf({3});
  (z * tensor({2})).backward();
  EXPECT_EQ(values(z.grad()), (Values{2}));
  z.to(kFloat64).backward();
  EXPECT_EQ(z.grad().dtype(), kFloat32);
  EXPECT_FALSE(z.to(kInt64).requires_grad());
  const Tensor s = leaf({3});
  s.sum({}, false, kFloat64).backward();
  EXPECT_EQ(s.grad().dtype(), kFloat32);
}

// Row: Paddle B12
TEST(Backward, SharedSubgraphsAreRunOnce) {
  std::atomic<int> count = 0;
  const Tensor x = leaf({3});
  const Tensor y = counted(x * x, count);
  ((y + y) * (y * 2)).backward();
  EXPECT_EQ(count, 1);
  EXPECT_EQ(values(x.grad()), (Values{4 * 4 * 27}));  // 4 x⁴
}

// Row: PyTorch B6, PyTorch F4, Paddle B14
TEST(Backward, SecondTimeNeedsRetainGraph) {
  const Tensor x = leaf({3});
  const Tensor y = x * x;
  y.backward({}, true);
  y.backward({}, true);
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{18}));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.backward(); }),
               {"second time", "retain_graph"});
  EXPECT_EQ(values(x.grad()), (Values{18}));
  // Nothing saved, nothing missing: as in PyTorch.
  const Tensor z = x + 1;
  z.backward();
  z.backward();
  EXPECT_EQ(values(x.grad()), (Values{20}));
}

// Row: Paddle D19
TEST(Backward, SavedTensorsAreFreedAsTheyAreUsed) {
  const Tensor x = leaf({3});
  const Tensor w = tensor({2.0F});
  const Tensor y = x * w;
  EXPECT_EQ(w.get().refs.load(), 2U);
  y.backward();
  EXPECT_EQ(w.get().refs.load(), 1U);
}

// Row: PyTorch B5, Paddle B10
TEST(Backward, Roots) {
  const Tensor x = leaf({2});
  const Tensor y = x * 3;
  const Tensor z = y * y;
  autograd::backward({y, z});  // z depends on y
  EXPECT_EQ(values(x.grad()), (Values{3 + 36}));
  x.set_grad(Tensor());
  const Tensor w = x * 5;
  autograd::backward({w, w});  // the same twice
  EXPECT_EQ(values(x.grad()), (Values{10}));
  x.set_grad(Tensor());
  autograd::backward({x, x * 2, x}, {tensor({1.0F}), tensor({10.0F}), tensor({100.0F})});
  EXPECT_EQ(values(x.grad()), (Values{121}));
}

// Row: PyTorch B1, PyTorch B2, PyTorch B4, Paddle B10, Paddle defect 19
TEST(Backward, FirstGradients) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.backward(); }), {"scalar outputs", "[2]"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { y.backward(tensor({1.0F})); }),
               {"[1]", "[2]"});
  expect_parts(error_of(ErrorKind::kAutograd, [] { tensor(1.0, kFloat64).backward(); }),
               {"does not require grad"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          autograd::backward({y}, {y, y});
                        }),
               {"1 tensors and 2"});
  y.backward(tensor({1.0, 10.0}, kFloat64));  // float64 is cast
  EXPECT_EQ(values(x.grad()), (Values{2, 20}));
  (x * 2).backward(tensor({-1, -10}));  // and so is int64
  EXPECT_EQ(values(x.grad()), (Values{0, 0}));
  autograd::backward({});
  (x * 2).backward(tensor({1.0F, 1.0F}));
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
}

// Row: PyTorch C3, Paddle B6
TEST(Backward, GivenGradientIsNotChanged) {
  const Tensor x = leaf({1, 2});
  const Tensor given = tensor({1.0F, 1.0F});
  const Tensor y = x * 2;
  autograd::backward({y, y, y}, {given, given, given});
  EXPECT_EQ(values(given), (Values{1, 1}));
  EXPECT_EQ(values(x.grad()), (Values{6, 6}));
  EXPECT_EQ(given.version(), 0U);
}

// Row: PyTorch C3
TEST(Backward, BuffersAreReusedOnlyWhenNobodyLooks) {
  const Tensor a = leaf({1, 2}), b = leaf({3, 4}), w = tensor({5.0F, 6.0F});
  (a + b).sum().backward();
  EXPECT_NE(a.grad().data_ptr(), b.grad().data_ptr());
  a.grad().add_(1);
  EXPECT_EQ(values(b.grad()), (Values{1, 1}));
  // A gradient that a hook keeps is not written over by the nodes below.
  const Tensor y = a * w;
  Tensor kept;
  y.register_hook([&](const Tensor& g) { kept = g; });
  const Tensor z = y * w;
  z.sum().backward();
  EXPECT_EQ(values(kept), (Values{5, 6}));
  // Nor one that is a result of grad().
  const Tensor u = a * w;
  const Tensor v = u * w;
  const auto results = autograd::grad({v.sum()}, {v, u, a});
  EXPECT_EQ(values(results[0]), (Values{1, 1}));
  EXPECT_EQ(values(results[1]), (Values{5, 6}));
  EXPECT_EQ(values(results[2]), (Values{25, 36}));
  EXPECT_EQ(values(w), (Values{5, 6}));
}

TEST(Backward, TheLastHandleMayGoInAHook) {
  const Tensor x = leaf({3});
  Tensor y = x * x;
  auto token = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = token;
  y.register_hook([&y, token](const Tensor&) {
    y = Tensor();
    EXPECT_EQ(*token, 1);
  });
  token.reset();
  Tensor z = y.exp();
  autograd::backward({std::exchange(z, Tensor())}, {tensor({0.0F})});
  EXPECT_EQ(values(x.grad()), (Values{0}));
  EXPECT_TRUE(watched.expired());
}

TEST(Backward, ExpandToNothing) {
  const Tensor x = make({1, 3}, {1, 2, 3}, requires_grad());
  x.expand({0, 3}).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 0, 0}));
}

TEST(Backward, EmptyAndZeroDim) {
  const Tensor x = full({0, 2}, 1.0, requires_grad());
  (x * 2).sum().backward();
  EXPECT_EQ(list(x.grad().sizes()), (Sizes{0, 2}));
  const Tensor s = tensor(3.0, dtype(kFloat64).requires_grad());
  (s * s).backward();
  EXPECT_EQ(s.grad().item<double>(), 6);
}

TEST(Backward, ManyDimensions) {
  for (size_t rank : {5U, 6U, 7U, 12U, 64U}) {
    Sizes sizes(rank, 1);
    sizes[0] = 2;
    sizes[rank - 1] = 3;
    const Tensor x = arange_of(sizes, requires_grad());
    (x * x.transpose(0, 1)).sum().backward();
    EXPECT_EQ(list(x.grad().sizes()), sizes);
    const Tensor y = x.sum(0) * x;
    y.sum().backward();
  }
}

TEST(Backward, SizesBeyond32Bits) {
  const int64_t big = (int64_t{1} << 33) + 5;
  const Tensor x = leaf({2});
  const Tensor wide = x.expand({big});  // no memory: one place
  const Tensor back = wide.unsqueeze(0).squeeze(0);
  const Tensor gradient = Tensor(tensor({1.0F})).expand({big});
  const Tensor narrow = full({0}, 1.0);
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { back.backward(narrow); }),
               {std::to_string(big)});
  EXPECT_EQ(list(autograd::grad({back}, {wide}, {gradient})[0].sizes()), (Sizes{big}));
}

// Row: PyTorch D8
TEST(Backward, AfterAnErrorTheGraphIsFree) {
  const Tensor x = leaf({3});
  const Tensor y = x * x;
  bool throws = true;
  y.register_hook([&](const Tensor&) {
    if (throws) throw std::runtime_error("not now");
  });
  EXPECT_THROW(y.backward({}, true), std::runtime_error);
  EXPECT_FALSE(x.grad().defined());
  throws = false;
  y.backward({}, true);
  EXPECT_EQ(values(x.grad()), (Values{6}));
  EXPECT_TRUE(GradMode::is_enabled());
}

// Row: PyTorch D1
TEST(Backward, LaterNodesRunFirst) {
  // Both branches reach x: the order of arrival, and so the bits, are fixed.
  const Tensor x = tensor({0.1F, 0.2F, 0.3F}, requires_grad());
  Values first;
  for (int i = 0; i < 20; ++i) {
    x.set_grad(Tensor());
    ((x * 0.1).exp() + (x * 0.7).exp() + (x * 1e6)).sum().backward();
    if (i == 0) first = values(x.grad());
    EXPECT_EQ(values(x.grad()), first);
  }
}

TEST(Grad, TakesFewAndManyTensorsInAnyList) {
  for (const int count : {1, 4, 5, 40}) {
    std::vector<Tensor> leaves;
    Tensor sum = zeros({1});
    for (int i = 0; i < count; ++i) {
      leaves.push_back(leaf({1.0}));
      sum = sum + leaves.back() * i;
    }
    const std::vector<Tensor> gradients = autograd::grad({sum}, leaves, {}, true);
    ASSERT_EQ(gradients.size(), leaves.size());
    for (int i = 0; i < count; ++i) EXPECT_EQ(gradients[i].item<double>(), i);
    leaves.push_back(ones({1}));  // no leaf of the graph
    error_of(ErrorKind::kAutograd, [&] { autograd::grad({sum}, leaves); });
    for (const Tensor& each : leaves) EXPECT_EQ(each.use_count(), each.requires_grad() ? 2 : 1);
  }
  const Tensor x = leaf({2.0}), y = leaf({3.0});
  const auto both = autograd::grad({x * y, x + 1}, {y, x, y}, {ones({1}), full({1}, 10.0)});
  EXPECT_EQ(both[0].item<double>(), 2);
  EXPECT_EQ(both[1].item<double>(), 13);
  EXPECT_EQ(both[2].item<double>(), 2);
}

TEST(Backward, TheFirstGradientIsOneInEveryDtype) {
  for (const DType dtype : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
    const Tensor x = full({1, 1}, 2.0, dtype).requires_grad_();
    (x * 3).backward();
    EXPECT_EQ(x.grad().dtype(), dtype);
    EXPECT_EQ(x.grad().item<double>(), 3);
  }
}

}  // namespace
}  // namespace eagre::test
