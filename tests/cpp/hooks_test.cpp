// Hooks on gradients and on saved tensors.
#include <cmath>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

// Row: PyTorch E1, Paddle B5
TEST(Hooks, SeeAndReplace) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  std::string order;
  y.register_hook([&](const Tensor& g) {
    order += 'a';
    return g * 10;
  });
  y.register_hook([&](const Tensor& g) {
    order += 'b';
    EXPECT_EQ(values(g), (Values{10, 10}));
  });
  x.register_hook([&](const Tensor& g) -> Tensor {
    order += 'c';
    EXPECT_EQ(values(g), (Values{20, 20}));
    return {};
  });
  y.sum().backward();
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(values(x.grad()), (Values{20, 20}));
}

// Row: PyTorch E1, Paddle B5, Paddle defect 13
TEST(Hooks, MustReturnTheSameKind) {
  const Tensor x = leaf({1, 2});
  const auto with = [&](const Tensor& bad) {
    const Tensor y = x * 2;
    y.register_hook([bad](const Tensor&) { return bad; });
    return error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  };
  expect_parts(with(tensor({1.0F})), {"hook", "MulBackward0", "[1]", "[2]"});
  expect_parts(with(tensor({1.0, 1.0}, kFloat64)), {"float64", "float32"});
  expect_parts(with(tensor({1, 1})), {"int64"});
}

// Row: PyTorch E9, Paddle B5
TEST(Hooks, Removed) {
  const Tensor x = leaf({1});
  int calls = 0;
  HookHandle handle = x.register_hook([&](const Tensor&) { ++calls; });
  x.backward();
  EXPECT_TRUE(handle.remove());
  EXPECT_FALSE(handle.remove());
  x.backward();
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(HookHandle().remove());
}

// Row: PyTorch E9
TEST(Hooks, RemovesItselfAndAddsOthers) {
  const Tensor x = leaf({1});
  int calls = 0, added = 0;
  HookHandle handle;
  auto token = std::make_shared<int>(7);
  handle = x.register_hook([&, token](const Tensor&) {
    ++calls;
    handle.remove();
    x.register_hook([&](const Tensor&) { ++added; });
    EXPECT_EQ(*token, 7);  // still alive while it runs
  });
  x.backward();
  EXPECT_EQ(added, 0);
  x.backward();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(added, 1);
}

// Row: PyTorch D8, Paddle defect 3
TEST(Hooks, ExceptionReachesTheCaller) {
  const Tensor x = leaf({1});
  const Tensor y = (x * 2).exp();
  HookHandle handle = x.register_hook([](const Tensor&) { throw std::out_of_range("mine"); });
  EXPECT_THROW(y.backward({}, true), std::out_of_range);
  handle.remove();
  y.backward();
  EXPECT_TRUE(x.grad().defined());
}

TEST(Hooks, NeedAGradient) {
  expect_parts(error_of(ErrorKind::kAutograd,
                        [] { tensor({1.0}, kFloat64).register_hook([](const Tensor&) {}); }),
               {"doesn't require gradient"});
}

// Row: PyTorch E10, Paddle defect 8
TEST(Hooks, OnLeavesFireInsideGrad) {
  const Tensor x = leaf({2});
  x.register_hook([](const Tensor& g) { return g * 100; });
  EXPECT_EQ(values(autograd::grad({x * 3}, {x})[0]), (Values{300}));
  EXPECT_FALSE(x.grad().defined());
}

// Row: PyTorch E11
TEST(Hooks, DieWithTheirNode) {
  std::weak_ptr<int> watched;
  {
    const Tensor x = leaf({2});
    const Tensor y = x * 2;
    auto token = std::make_shared<int>(0);
    watched = token;
    y.register_hook([token](const Tensor&) {});
  }
  EXPECT_TRUE(watched.expired());
}

TEST(Hooks, RunForGradientsThatAreNotThere) {
  const std::vector<Tensor> parts = (leaf({1, 2}) * 1).unbind();
  int missing = 0;
  parts[1].register_hook([&](const Tensor& g) {
    missing += g.defined() ? 0 : 1;
    return Tensor();
  });
  parts[0].backward();
  EXPECT_EQ(missing, 1);
}

// An exception of the standard library says where the node was recorded; those of users are their
// own.
TEST(Hooks, ExceptionsNameTheirPlace) {
  struct Own : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  const auto text_of = [](const auto& error) {
    const Tensor y = leaf({1, 2}) * 2;
    y.register_hook([&](const Tensor&) -> Tensor { throw error; });
    try {
      y.sum().backward();
    } catch (const std::exception& caught) {
      EXPECT_EQ(typeid(caught), typeid(error));
      return std::string(caught.what());
    }
    return std::string();
  };
  expect_parts(text_of(std::out_of_range("mine")),
               {"mine", "in the backward of MulBackward0, recorded at", "hooks_test.cpp"});
  expect_parts(text_of(std::runtime_error("mine")), {"mine", "MulBackward0"});
  EXPECT_EQ(text_of(Own("mine")), "mine");
}

// --- hooks on saved tensors ---

// Row: PyTorch F7, Paddle D19, Paddle defect 10
TEST(SavedTensorHooks, IdentityChangesNothing) {
  int packed = 0, unpacked = 0;
  const Tensor x = tensor({2.0}, dtype(kFloat64).requires_grad());
  Tensor y;
  {
    autograd::SavedTensorHooks scope(
        [&](const Tensor& t) {
          ++packed;
          EXPECT_EQ(t.is_same(x), packed <= 2);  // then comes the output of exp, without history
          EXPECT_EQ(t.requires_grad(), packed <= 2);
          return t;
        },
        [&](const Tensor& t) {
          ++unpacked;
          return t;
        });
    y = (x * x).exp();
  }
  const Tensor outside = y * y;
  EXPECT_EQ(packed, 3);
  const Tensor first = autograd::grad({outside}, {x}, {}, true, true)[0];
  EXPECT_EQ(unpacked, 3);
  const double e = std::exp(8.0);  // y² = e^(2x²)
  EXPECT_NEAR(first.item<double>(), 8 * e, 1e-9 * e);
  const Tensor second = autograd::grad({first}, {x})[0];
  EXPECT_NEAR(second.item<double>(), (4 + 64) * e, 1e-8 * e);
}

// Row: PyTorch F7
TEST(SavedTensorHooks, PackMayStoreAnotherTensor) {
  const Tensor x = tensor({2.0}, dtype(kFloat64).requires_grad());
  Tensor y;
  {
    autograd::SavedTensorHooks scope([](const Tensor& t) { return t.to(kFloat32); },
                                     [](const Tensor& t) { return t.to(kFloat64); });
    y = x * x;
  }
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{4}));
  error_of(ErrorKind::kAutograd, [&] { y.backward(); });
}

// Row: PyTorch F7
TEST(SavedTensorHooks, InnermostCounts) {
  std::string calls;
  const auto pack = [&](char who) {
    return [&calls, who](const Tensor& t) {
      calls += who;
      return t;
    };
  };
  const auto same = [](const Tensor& t) { return t; };
  const Tensor x = leaf({2});
  Tensor y;
  {
    autograd::SavedTensorHooks outer(pack('o'), same);
    {
      autograd::SavedTensorHooks inner(pack('i'), same);
      y = x * x;
    }
    y = y * 2;  // a number is not packed
    y = y.exp();
  }
  y = y.exp();
  EXPECT_EQ(calls, "iio");
  y.backward();
  EXPECT_TRUE(x.grad().defined());
}

TEST(SavedTensorHooks, Exceptions) {
  const Tensor x = leaf({2});
  const auto same = [](const Tensor& t) { return t; };
  {
    autograd::SavedTensorHooks scope(
        [](const Tensor&) -> Tensor { throw std::runtime_error("pack"); }, same);
    EXPECT_THROW(x * x, std::runtime_error);
    EXPECT_TRUE(GradMode::is_enabled());
  }
  Tensor y;
  {
    autograd::SavedTensorHooks scope(
        same, [](const Tensor&) -> Tensor { throw std::runtime_error("unpack"); });
    y = x * x;
  }
  EXPECT_THROW(y.backward(), std::runtime_error);
  EXPECT_THROW(y.backward(), std::runtime_error);
  EXPECT_FALSE(x.grad().defined());
}

// Row: Paddle defect 10
TEST(SavedTensorHooks, UnpackMustGiveBackTheShape) {
  const Tensor x = leaf({2, 3});
  const auto broken = [&](auto unpack) {
    autograd::SavedTensorHooks scope([](const Tensor& t) { return t; }, unpack);
    const Tensor y = x * x;
    return error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  };
  expect_parts(broken([](const Tensor& t) { return t.sum(); }),
               {"unpack hook", "MulBackward0", "[2]"});
  expect_parts(broken([](const Tensor&) { return Tensor(); }), {"unpack hook"});
  expect_parts(broken([](const Tensor& t) { return t.to(kInt64); }), {"float32"});
}

TEST(SavedTensorHooks, UnpackMayGiveAnotherPrecision) {
  const Tensor x = leaf({2, 3});
  autograd::SavedTensorHooks scope([](const Tensor& t) { return t.to(kFloat64); },
                                   [](const Tensor& t) { return t; });
  (x * x).sum().backward();
  EXPECT_EQ(x.grad().dtype(), kFloat32);
  EXPECT_TRUE(equal(x.grad(), x.detach() * 2));
}

TEST(SavedTensorHooks, FunctionsLiveAsLongAsTheNode) {
  std::weak_ptr<int> watched;
  const Tensor x = leaf({2});
  Tensor y;
  {
    auto token = std::make_shared<int>(0);
    watched = token;
    autograd::SavedTensorHooks scope([token](const Tensor& t) { return t; },
                                     [](const Tensor& t) { return t; });
    y = x * x;
  }
  EXPECT_FALSE(watched.expired());
  y = Tensor();
  EXPECT_TRUE(watched.expired());
}

TEST(SavedTensorHooks, InPlaceNodes) {
  const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
  Tensor y;
  {
    autograd::SavedTensorHooks scope([](const Tensor& t) { return t.clone(); },
                                     [](const Tensor& t) { return t; });
    y = x * 1;
    y.mul_(x);
    y.exp_();
  }
  y.backward();
  EXPECT_NEAR(x.grad().item<double>(), 6 * std::exp(9.0), 1e-6);
}

}  // namespace
}  // namespace eagre::test
