// In-place operators and the graph.
#include <cmath>

#include <stdexcept>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(InPlace, LeafThatRequiresGrad) {
  const Tensor x = leaf({1, 2});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { x.add_(1); }),
               {"add_()", "leaf Variable that requires grad"});
  EXPECT_EQ(values(x), (Values{1, 2}));
  EXPECT_EQ(x.version(), 0U);
  NoGradGuard no_grad;
  x.add_(1);
  EXPECT_EQ(values(x), (Values{2, 3}));
  EXPECT_TRUE(x.requires_grad());
  EXPECT_TRUE(x.is_leaf());
}

TEST(InPlace, OnViewsIsUnimplemented) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  const Tensor view = y.unsqueeze(0);
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { view.mul_(2); }), {"mul_()", "view"});
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { y.mul_(2); }), {"view"});
  EXPECT_EQ(values(y), (Values{2, 4}));
  // Without recording there is nothing to rebase.
  const Tensor plain = counting({2, 2});
  plain.transpose(0, 1).add_(1);
  EXPECT_EQ(values(plain), (Values{1, 2, 3, 4}));
}

TEST(InPlace, AViewThatIsGoneDoesNotCount) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  { const Tensor view = y.unsqueeze(0); }
  y.mul_(3);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 6}));
}

// Paddle A16
TEST(InPlace, HistoryIsRebased) {
  const Tensor x = leaf({1, 2}), w = leaf({3, 4});
  const Tensor y = x * 2;
  y.add_(w, 5);
  y.mul_(w);
  EXPECT_FALSE(y.is_leaf());
  y.sum().backward();  // (2x + 5w) w
  EXPECT_EQ(values(x.grad()), (Values{6, 8}));
  EXPECT_EQ(values(w.grad()), (Values{2 + 30, 4 + 40}));
}

TEST(InPlace, PlainTensorJoinsTheGraph) {
  const Tensor w = leaf({3, 4});
  const Tensor y = tensor({1.0F, 2.0F});
  y.mul_(w);
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_leaf());
  y.sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{1, 2}));
}

TEST(InPlace, MulSavesTheOriginal) {
  const Tensor x = tensor({2.0}, requires_grad()), w = tensor({5.0}, requires_grad());
  const Tensor y = x * 3;
  y.mul_(w);
  y.mul_(w);
  y.backward();  // 3 x w²
  EXPECT_EQ(values(x.grad()), (Values{75}));
  EXPECT_EQ(values(w.grad()), (Values{60}));
}

TEST(InPlace, BySelf) {
  const Tensor x = tensor({3.0}, requires_grad());
  const Tensor y = x * 1;
  y.mul_(y);  // x²
  y.add_(y);  // 2x²
  EXPECT_EQ(values(y), (Values{18}));
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{12}));
}

TEST(InPlace, BySelfHoldsNothingForEver) {
  std::weak_ptr<int> watched;
  {
    const Tensor x = tensor({3.0}, requires_grad());
    auto token = std::make_shared<int>(0);
    watched = token;
    const Tensor y = x * 1;
    y.register_hook([token](const Tensor&) {});
    token.reset();
    y.mul_(y);
  }
  EXPECT_TRUE(watched.expired()) << "the node and its output hold each other";
}

TEST(InPlace, ExpKeepsItsResult) {
  const Tensor x = tensor({2.0}, requires_grad());
  const Tensor y = x * 1;
  y.exp_();
  y.backward();
  EXPECT_NEAR(x.grad().item<double>(), std::exp(2.0), 1e-12);
}

// Paddle D19
TEST(InPlace, ChangingWhatWasSavedIsFound) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x.exp();
  y.add_(1);  // exp saved its result
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); }),
               {"ExpBackward0", "'result'", "add_()"});
  const Tensor w = tensor({1.0F, 2.0F});
  const Tensor z = x * w;
  w.mul_(2);
  expect_parts(error_of(ErrorKind::kAutograd, [&] { z.sum().backward(); }),
               {"MulBackward0", "'other'", "mul_()"});
  const Tensor v = x * w;
  w.detach().add_(1);
  error_of(ErrorKind::kAutograd, [&] { v.sum().backward(); });
  const Tensor harmless = x + w;  // add saves nothing
  w.add_(1);
  harmless.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{1, 1}));
}

TEST(InPlace, ARefusedCallLeavesTheGraphAlone) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  error_of(ErrorKind::kInvalidArgument, [&] { y.mul_(tensor({1.0F, 2.0F, 3.0F})); });
  EXPECT_EQ(y.version(), 0U);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
}

TEST(InPlace, BroadcastOther) {
  const Tensor x = leaf({1, 2}), s = tensor(3.0F, requires_grad());
  const Tensor y = x * 1;
  y.mul_(s);
  y.sum().backward();
  EXPECT_EQ(s.grad().item<double>(), 3);
  EXPECT_EQ(s.grad().dim(), 0);
}

// The values have changed when a pack hook throws: the old history would give a wrong gradient.
TEST(InPlace, AThrowingPackHookLeavesNoWrongHistory) {
  const Tensor x = tensor({2.0}).requires_grad_();
  const Tensor y = x * 1.0;
  {
    const autograd::SavedTensorHooks hooks(
        [](const Tensor&) -> Tensor { throw std::runtime_error("no room"); },
        [](const Tensor& packed) { return packed; });
    EXPECT_THROW(y.exp_(), std::runtime_error);
  }
  EXPECT_THROW(y.sum().backward(), Error);
  EXPECT_FALSE(x.grad().defined());
}

}  // namespace
}  // namespace eagre::test
