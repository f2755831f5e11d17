// In-place operators and the graph.
#include <cmath>
#include <cstdint>
#include <memory>

#include <stdexcept>

#include <eagre/core/memory_stats.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

// Row: PyTorch A6
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

// Row: PyTorch I2, PyTorch I3
TEST(InPlace, OnAViewReachesTheBase) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  const Tensor view = y.unsqueeze(0);
  view.mul_(3);
  y.mul_(5);
  EXPECT_EQ(values(view), (Values{30, 60}));
  view.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{30, 30}));
}

TEST(InPlace, OnAViewWithoutRecording) {
  const Tensor plain = arange_of({2, 2});
  plain.transpose(0, 1).add_(1);
  EXPECT_EQ(values(plain), (Values{1, 2, 3, 4}));
  EXPECT_EQ(plain.version(), 1U);
}

// Row: PyTorch I5
TEST(InPlace, OnAViewOfALeaf) {
  const Tensor x = leaf({1, 2});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { x.unsqueeze(0).mul_(2); }),
               {"mul_()", "a view of a leaf Variable that requires grad"});
  EXPECT_EQ(values(x), (Values{1, 2}));
}

// The writer saved its own result, which is a part of the base: its second derivative goes through
// the node of the base.
// Row: PyTorch I11
TEST(InPlace, SecondDerivativeOfAWriterThatSavesItsResult) {
  const Tensor x = leaf({0.5, 0.25});
  const Tensor y = x * 2;
  y.unsqueeze(0).exp_();
  const Tensor first = autograd::grad({y.sum()}, {x}, {}, true, true)[0];
  first.sum().backward();
  EXPECT_NEAR(values(x.grad())[0], 4 * std::exp(1.0), 1e-5);
  EXPECT_NEAR(values(x.grad())[1], 4 * std::exp(0.5), 1e-5);
}

// Row: PyTorch I11, PyTorch P2
TEST(InPlace, NothingIsHeldAfterwards) {
  const int64_t before = cpu::memory_stats().allocated;
  {
    const Tensor x = zeros({1 << 16}, requires_grad());
    const Tensor y = x * 2;
    const Tensor view = y.unsqueeze(0);
    view.mul_(x);
    view.exp_();
    y.sum().backward();
  }
  EXPECT_EQ(cpu::memory_stats().allocated, before);
}

// Row: PyTorch H5, Paddle A16
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

// Row: PyTorch A5
TEST(InPlace, PlainTensorJoinsTheGraph) {
  const Tensor w = leaf({3, 4});
  const Tensor y = tensor({1.0F, 2.0F});
  y.mul_(w);
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_leaf());
  y.sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{1, 2}));
}

// Row: PyTorch H8
TEST(InPlace, MulSavesTheOriginal) {
  const Tensor x = tensor({2.0}, dtype(kFloat64).requires_grad()),
               w = tensor({5.0}, dtype(kFloat64).requires_grad());
  const Tensor y = x * 3;
  y.mul_(w);
  y.mul_(w);
  y.backward();  // 3 x w²
  EXPECT_EQ(values(x.grad()), (Values{75}));
  EXPECT_EQ(values(w.grad()), (Values{60}));
}

// Row: PyTorch H8
TEST(InPlace, BySelf) {
  const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
  const Tensor y = x * 1;
  y.mul_(y);  // x²
  y.add_(y);  // 2x²
  EXPECT_EQ(values(y), (Values{18}));
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{12}));
}

// Row: PyTorch P2
TEST(InPlace, BySelfHoldsNothingForEver) {
  std::weak_ptr<int> watched;
  {
    const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
    auto token = std::make_shared<int>(0);
    watched = token;
    const Tensor y = x * 1;
    y.register_hook([token](const Tensor&) {});
    token.reset();
    y.mul_(y);
  }
  EXPECT_TRUE(watched.expired()) << "the node and its output hold each other";
}

// Row: PyTorch H8
TEST(InPlace, ExpKeepsItsResult) {
  const Tensor x = tensor({2.0}, dtype(kFloat64).requires_grad());
  const Tensor y = x * 1;
  y.exp_();
  y.backward();
  EXPECT_NEAR(x.grad().item<double>(), std::exp(2.0), 1e-12);
}

// Row: PyTorch F3, Paddle D19
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
  const Tensor x = tensor({2.0}, kFloat64).requires_grad_();
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
