// Graphs a million calls deep: backward and release on a stack of 256 KB.
#include <cstddef>
#include <stdexcept>

#include "cpp/support.h"

namespace eagre::test {
namespace {

constexpr int kLength = kSanitized ? 100'000 : 1'000'000;
constexpr size_t kStack = 256 << 10;

template <class Step>
Tensor chain(const Tensor& x, Step step) {
  Tensor y = x;
  for (int i = 0; i < kLength; ++i) y = step(y);
  return y;
}

Tensor plus_one(const Tensor& y) { return y + 1; }
Tensor times_number(const Tensor& y) { return y * 1.0; }
Tensor exponential(const Tensor& y) { return y.exp(); }  // saves its result
Tensor turned(const Tensor& y) { return y.transpose(0, 1); }

// Row: PyTorch P1
TEST(Chain, BackwardAndFree) {
  on_small_stack(kStack, [] {
    const Tensor x = full({1, 1}, 1.0, requires_grad());
    for (auto step : {plus_one, times_number, turned}) {
      chain(x, step).backward();
    }
    EXPECT_EQ(values(x.grad()), (Values{3}));
  });
}

TEST(Chain, BackwardThroughSavedOutputs) {
  on_small_stack(kStack, [] {
    const Tensor x = full({1, 1}, -1e9, requires_grad());
    chain(x, exponential).backward();
    EXPECT_TRUE(x.grad().defined());
  });
}

// Row: PyTorch P1
TEST(Chain, FreedWithoutBackward) {
  on_small_stack(kStack, [] {
    const Tensor x = full({1, 1}, 1.0, requires_grad());
    for (auto step : {plus_one, times_number, exponential, turned}) chain(x, step);
    EXPECT_EQ(x.get().refs.load(), 1U);
  });
}

// Row: PyTorch P1
TEST(Chain, FreedThroughSavedInputs) {
  on_small_stack(kStack, [] {
    const Tensor x = full({1}, 1.0, requires_grad());
    const Tensor w = full({1}, 1.0, requires_grad());
    chain(x, [&](const Tensor& y) { return y * w; });
    chain(x, [&](const Tensor& y) { return w * y; });
    chain(x, [&](const Tensor& y) { return y * y; });
    EXPECT_EQ(x.get().refs.load(), 1U);
    EXPECT_EQ(w.get().refs.load(), 1U);
    chain(x, [&](const Tensor& y) { return y * w; }).backward();
    EXPECT_EQ(values(w.grad()), (Values{static_cast<double>(kLength)}));
  });
}

// Row: PyTorch P1
TEST(Chain, FreedThroughPackedTensors) {
  on_small_stack(kStack, [] {
    const Tensor x = full({1}, 1.0, requires_grad());
    autograd::SavedTensorHooks scope([](const Tensor& t) { return t; },
                                     [](const Tensor& t) { return t; });
    chain(x, exponential);
    chain(x, [](const Tensor& y) { return y * y; });
    EXPECT_EQ(x.get().refs.load(), 1U);
  });
}

TEST(Chain, GradToTheMiddle) {
  on_small_stack(kStack, [] {
    const Tensor x = full({1}, 1.0, requires_grad());
    const Tensor middle = chain(x, times_number);
    const Tensor y = chain(middle, plus_one);
    EXPECT_EQ(values(autograd::grad({y}, {middle})[0]), (Values{1}));
    EXPECT_EQ(values(autograd::grad({y}, {x})[0]), (Values{1}));
  });
}

TEST(Chain, SecondOrder) {
  on_small_stack(kStack, [] {
    const Tensor x = tensor({1.0}, dtype(kFloat64).requires_grad());
    Tensor y = x;
    constexpr int kSteps = kLength / 10;
    for (int i = 0; i < kSteps; ++i) y = y * x;
    const Tensor first = autograd::grad({y}, {x}, {}, true, true)[0];
    const double n = kSteps + 1;
    EXPECT_EQ(values(first), (Values{n}));
    EXPECT_EQ(values(autograd::grad({first}, {x})[0]), (Values{n * (n - 1)}));
  });
}

TEST(Chain, FreedWhenBackwardFails) {
  on_small_stack(kStack, [] {
    const Tensor x = full({1}, 1.0, requires_grad());
    x.register_hook([](const Tensor&) { throw std::runtime_error("at the very end"); });
    EXPECT_THROW(chain(x, times_number).backward(), std::runtime_error);
    EXPECT_EQ(x.get().refs.load(), 1U);
  });
}

}  // namespace
}  // namespace eagre::test
