// Leaves: who is one, and how gradients gather in .grad.
#include <memory>

#include "cpp/support.h"

namespace eagre::test {
namespace {

// Row: PyTorch A1, PyTorch A2
TEST(Leaf, RequiresGrad) {
  const Tensor x = tensor({1.0F});
  EXPECT_TRUE(x.is_leaf());
  EXPECT_FALSE(x.requires_grad());
  x.requires_grad_();
  EXPECT_TRUE(x.requires_grad());
  EXPECT_TRUE(x.is_leaf());
  const Tensor y = x * 2;
  EXPECT_FALSE(y.is_leaf());
  EXPECT_TRUE(y.requires_grad());
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { y.requires_grad_(false); }),
               {"leaf", "detach()"});
  y.requires_grad_();  // already so
  x.requires_grad_(false);
  EXPECT_FALSE((x * 2).requires_grad());
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { tensor({1}).requires_grad_(); }),
               {"floating", "int64"});
}

// Row: PyTorch C2
TEST(Leaf, GradientIsStolenWhenNobodyElseHasIt) {
  const Tensor x = leaf({1, 2});
  const void* seen = nullptr;
  x.register_hook([&](const Tensor& g) { seen = g.data_ptr(); });
  (x * 3).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
  EXPECT_EQ(x.grad().data_ptr(), seen);
}

// Row: PyTorch C2
TEST(Leaf, GradientIsCopiedWhenTheCallerHoldsIt) {
  const Tensor x = leaf({1, 2});
  const Tensor given = tensor({5.0F, 6.0F});
  x.backward(given);
  EXPECT_NE(x.grad().data_ptr(), given.data_ptr());
  given.add_(1);
  EXPECT_EQ(values(x.grad()), (Values{5, 6}));
  // An expanded gradient has fewer places than elements.
  x.set_grad(Tensor());
  x.sum().backward();
  EXPECT_TRUE(x.grad().is_contiguous());
  x.grad().add_(1);
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
}

// Row: PyTorch C1, Paddle B7, Paddle B8
TEST(Leaf, AddsInPlaceAndOutOfPlaceWithCreateGraph) {
  const Tensor x = leaf({1, 2});
  (x * 3).sum().backward();
  const Tensor first = x.grad();
  (x * 4).sum().backward();
  EXPECT_TRUE(x.grad().is_same(first));
  EXPECT_EQ(values(first), (Values{7, 7}));
  EXPECT_EQ(first.version(), 1U);
  (x * x).sum().backward({}, false, true);
  EXPECT_FALSE(x.grad().is_same(first));
  EXPECT_EQ(values(first), (Values{7, 7}));
  EXPECT_EQ(values(x.grad()), (Values{9, 11}));
  EXPECT_TRUE(x.grad().requires_grad());
  x.set_grad(Tensor());  // breaks the cycle leaf → grad → graph → leaf
}

// Row: PyTorch A8
TEST(Leaf, SetGradIsChecked) {
  const Tensor x = leaf({1, 2});
  x.set_grad(tensor({1.0F, 1.0F}));
  (x * 2).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { x.set_grad(tensor({1.0F})); }),
               {"shape [1]", "[2]"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          x.set_grad(tensor({1.0, 2.0}, kFloat64));
                        }),
               {"float64"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { x.set_grad(x); }), {"its own grad"});
  x.set_grad(Tensor());
  EXPECT_FALSE(x.grad().defined());
}

TEST(Leaf, BackwardOnALeaf) {
  const Tensor x = tensor(3.0F, requires_grad());
  x.backward();
  x.backward();
  EXPECT_EQ(x.grad().item<double>(), 2);
}

// Row: Paddle D12
TEST(Leaf, LivesAsLongAsTheGraphNeedsIt) {
  std::weak_ptr<int> watched;
  Tensor y;
  {
    const Tensor x = leaf({2});
    auto token = std::make_shared<int>(0);
    watched = token;
    x.register_hook([token](const Tensor&) {});
    y = x * 2;
  }
  EXPECT_FALSE(watched.expired());
  y.backward();
  y = Tensor();
  EXPECT_TRUE(watched.expired());
}

// Row: PyTorch C7
TEST(Leaf, NotUsedStaysWithoutGradient) {
  const Tensor x = leaf({1}), unused = leaf({1});
  (x * 2).backward();
  EXPECT_FALSE(unused.grad().defined());
}

// Row: PyTorch A11
TEST(Leaf, DetachedPartsGetNothing) {
  const Tensor x = leaf({2});
  (x * x.detach()).backward();
  EXPECT_EQ(values(x.grad()), (Values{2}));
  EXPECT_FALSE(x.detach().requires_grad());
}

// Row: Paddle D1
TEST(Leaf, NoGradRecordsNothing) {
  const Tensor x = leaf({2});
  {
    NoGradGuard no_grad;
    EXPECT_FALSE((x * 2).requires_grad());
    AutoGradMode again(true);
    EXPECT_TRUE((x * 2).requires_grad());
  }
  EXPECT_TRUE((x * 2).requires_grad());
  std::thread([&] { EXPECT_TRUE((x * 2).requires_grad()); }).join();
}

}  // namespace
}  // namespace eagre::test
