// Segments whose saved tensors are computed again.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>

#include <eagre/api/checkpoint.h>
#include <eagre/api/func.h>
#include <eagre/api/vmap.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::checkpoint;
using autograd::grad;
using autograd::functional::Tensors;

// Ten steps that save something each, and a count of calls.
struct Steps {
  int& calls;
  Tensor weight;
  Tensors operator()(const Tensors& in) const {
    ++calls;
    Tensor y = in[0];
    for (int i = 0; i < 10; ++i) y = (y * weight).tanh();
    return {y};
  }
};

// Row: PyTorch G2
TEST(Checkpoint, GradientsAreThoseOfTheSegment) {
  int calls = 0;
  const Tensor x = leaf({0.1, 0.2}), w = leaf({0.9, 1.1});
  const Steps steps{calls, w};
  const auto expected = grad({steps({x})[0].sum()}, {x, w});
  calls = 0;
  const Tensor y = checkpoint(steps, {x})[0];
  EXPECT_EQ(calls, 1);
  const auto found = grad({y.sum()}, {x, w});
  EXPECT_EQ(calls, 2);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(values(found[i]), values(expected[i]));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); }), {"second time"});
}

TEST(Checkpoint, SavedTensorsAreNotKept) {
  const auto held_by = [](bool is_checkpoint) {
    int calls = 0;
    const Tensor x = ones({1 << 16}).requires_grad_(), w = ones({1 << 16});
    const Steps steps{calls, w};
    const int64_t before = cpu::memory_allocated();
    const Tensor y = is_checkpoint ? checkpoint(steps, {x})[0] : steps({x})[0];
    return cpu::memory_allocated() - before;
  };
  EXPECT_GT(held_by(false), int64_t{9} << 18);
  EXPECT_LT(held_by(true), int64_t{2} << 18);
}

// Row: PyTorch G2
TEST(Checkpoint, GraphsThatAreKeptAndSecondOrder) {
  int calls = 0;
  const Tensor x = leaf({0.5}), w = leaf({2});
  const Steps steps{calls, w};
  const auto second = [&](const Tensor& y) {
    const Tensor g = grad({y}, {x}, {}, {}, true)[0];
    return values(grad({g}, {w})[0]);
  };
  const Values expected = second(steps({x})[0]);
  EXPECT_EQ(second(checkpoint(steps, {x})[0]), expected);
  const Tensor y = checkpoint(steps, {x})[0];
  calls = 0;
  y.backward({}, true);
  y.backward();
  EXPECT_EQ(calls, 2) << "once for each";
  EXPECT_EQ(values(x.grad())[0], 2 * values(grad({steps({x})[0]}, {x})[0])[0]);
}

// Row: PyTorch G2
TEST(Checkpoint, Nested) {
  int inner_calls = 0, outer_calls = 0;
  const Tensor x = leaf({0.3}), w = leaf({1.5});
  const Steps steps{inner_calls, w};
  const auto outer = [&](const Tensors& in) {
    ++outer_calls;
    const Tensor y = checkpoint(steps, {in[0] * 2})[0];
    return checkpoint(steps, {y.exp()});
  };
  const auto expected = grad({outer({x})[0]}, {x, w});
  inner_calls = outer_calls = 0;
  const auto found = grad({checkpoint(outer, {x})[0]}, {x, w});
  EXPECT_EQ(values(found[0]), values(expected[0]));
  EXPECT_EQ(values(found[1]), values(expected[1]));
  EXPECT_GE(outer_calls, 2);
  EXPECT_LE(outer_calls, 3);
  EXPECT_LE(inner_calls, 8);
}

// Row: PyTorch G7
TEST(Checkpoint, RandomNumbersAreTheSameAgain) {
  const Tensor x = ones({1000}).requires_grad_();
  const auto drops = [](const Tensor& in) { return dropout(in, 0.5, true); };
  manual_seed(3);
  const Tensor y = checkpoint(drops, x);
  const Tensor after = rand({4});
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), values(y.detach())) << "the same elements were dropped";
  const Tensor next = rand({4});
  manual_seed(3);
  drops(x);
  EXPECT_EQ(values(rand({4})), values(after));
  EXPECT_EQ(values(rand({4})), values(next)) << "the second forward used no numbers up";
}

// Row: PyTorch G3
TEST(Checkpoint, TheSecondForwardStopsEarly) {
  for (const bool stops : {true, false}) {
    int ends = 0;
    const auto function = [&](const Tensor& in) {
      const Tensor y = in.exp();
      ++ends;  // after the last saved tensor
      return y + 1;
    };
    const Tensor x = leaf({1});
    checkpoint(function, x, {.early_stop = stops}).backward();
    EXPECT_EQ(ends, stops ? 1 : 2);
    EXPECT_NEAR(x.grad().item<float>(), std::exp(1.0F), 1e-6);
  }
}

// Row: PyTorch G4
TEST(Checkpoint, AFunctionThatDoesSomethingElseIsAnError) {
  int calls = 0;
  const auto fewer = [&](const Tensor& in) { return ++calls == 1 ? in.exp().exp() : in.exp(); };
  const Tensor x = leaf({1});
  const Tensor y = checkpoint(fewer, x);
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.backward(); }),
               {"checkpoint()", "different number of tensors", "2 and 1"});
  calls = 0;
  const auto other = [&](const Tensor& in) {
    return (++calls == 1 ? in.exp() : stack({in, in}).exp()).sum();
  };
  const Tensor z = checkpoint(other, x);
  expect_parts(error_of(ErrorKind::kAutograd, [&] { z.backward(); }),
               {"different metadata", "[1]", "[2, 1]"});
}

TEST(Checkpoint, ErrorsOfTheSecondForwardReachTheCaller) {
  struct Mine : std::exception {};
  int calls = 0;
  const auto function = [&](const Tensor& in) {
    if (++calls == 2) throw Mine();
    return in.exp();
  };
  const Tensor x = leaf({1});
  const Tensor y = checkpoint(function, x);
  EXPECT_THROW(y.backward({}, true), Mine);
  y.backward();  // works the third time
  EXPECT_NEAR(x.grad().item<float>(), std::exp(1.0F), 1e-6);
}

TEST(Checkpoint, WithoutRecordingItIsACall) {
  int calls = 0;
  const Tensor x = leaf({1});
  const NoGradGuard no_grad;
  const Tensor y = checkpoint(Steps{calls, x}, {x})[0];
  EXPECT_FALSE(y.requires_grad());
  EXPECT_EQ(calls, 1);
}

TEST(Checkpoint, WhatIsUsedBesidesTheInputsGetsGradients) {
  const Tensor x = tensor({2.0F}), w = leaf({3});
  checkpoint([&](const Tensor& in) { return in * w * w; }, x).backward();
  EXPECT_EQ(values(w.grad()), (Values{12}));
}

// --- inside of transforms ---

Tensor cubes(const Tensor& x) {
  return checkpoint([](const Tensor& y) { return y * y * y; }, x);
}

TEST(Checkpoint, UnderForwardModeOverBackward) {
  const Tensor x = tensor({1., 2.}, kFloat64), t = tensor({1., 10.}, kFloat64);
  const auto gradient = func::grad(
      autograd::functional::SingleFunction([](const Tensor& y) { return cubes(y).sum(); }));
  const auto [value, tangent] =
      func::jvp([&](const Tensors& in) { return Tensors{gradient(in[0])}; }, {x}, {t});
  EXPECT_EQ(values(value[0]), (Values{3, 12}));
  EXPECT_EQ(values(tangent[0]), (Values{6, 120}));
  EXPECT_EQ(values(func::hessian([](const Tensor& y) { return cubes(y).sum(); })(x)),
            (Values{6, 0, 0, 12}));
}

TEST(Checkpoint, UnderVmapWithBackwardInsideAndOutside) {
  const auto f = [](const Tensor& y) { return cubes(y).sum(); };
  const Tensor batch = leaf({1, 2, 3, 4}).detach().view({2, 2}).requires_grad_();
  EXPECT_EQ(values(func::vmap(func::grad(f))(batch)), (Values{3, 12, 27, 48}));
  const Tensor outside = func::vmap(f)(batch);
  EXPECT_EQ(values(grad({outside.sum()}, {batch})[0]), (Values{3, 12, 27, 48}));
  // And of two maps.
  const auto nested = func::vmap([](const Tensor& row) { return func::vmap(cubes)(row); })(batch);
  EXPECT_EQ(values(grad({nested.sum()}, {batch})[0]), (Values{3, 12, 27, 48}));
}

TEST(Checkpoint, AfterForwardModeHasEnded) {
  const Tensor x = leaf({1, 2});
  const auto derivative =
      func::jvp([](const Tensors& in) { return Tensors{cubes(in[0])}; }, {x}, {ones({2})});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { derivative.second[0].sum().backward(); }),
               {"checkpoint()", "forward mode", "tangents are gone"});
}

}  // namespace
}  // namespace eagre::test
