// backward() called by code that backward() runs.
#include <functional>
#include <stdexcept>
#include <vector>

#include <eagre/autograd/engine/spare_stack.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/thread_state.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

// The gradient of `x` runs through `inside`, which calls backward() again.
Tensor through(const Tensor& x, const std::function<void()>& inside) {
  const Tensor result = x.detach().clone();
  record({x}, {result}, [inside](autograd::BackwardCall& call) {
    inside();
    call.set(0, call.grad(0));
  });
  return result;
}

// Row: PyTorch D4, Paddle B26
TEST(Reentrant, ANodeCanCallBackwardAndGrad) {
  const Tensor x = leaf({1, 2}), w = leaf({3, 4});
  Tensor nested;
  const Tensor y = through(x, [&] {
    AutoGradMode on(true);
    (w * w).sum().backward();
    nested = autograd::grad({(w * 5).sum()}, {w})[0];
  });
  (y * 2).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
  EXPECT_EQ(values(w.grad()), (Values{6, 8}));
  EXPECT_EQ(values(nested), (Values{5, 5}));
}

// grad() inside of grad(), over the same nodes.
// Row: Paddle defect 4
TEST(Reentrant, GradInsideOfGradOverTheSameGraph) {
  const Tensor x = leaf({1, 2});
  const Tensor a = x * 2, b = a * 3;
  Tensor inner;
  const Tensor c = through(b, [&] { inner = autograd::grad({b}, {x}, {ones({2})}, true)[0]; });
  const Tensor outer = autograd::grad({c.sum()}, {x})[0];
  EXPECT_EQ(values(inner), (Values{6, 6}));
  EXPECT_EQ(values(outer), (Values{6, 6}));
}

// Row: PyTorch D5
TEST(Reentrant, ThousandsDeepOnThreadsThatAreUsedAgain) {
  const Tensor x = leaf({1});
  const auto run = [&](int deepest) {
    int depth = 0;
    std::function<void()> nest = [&] {
      AutoGradMode on(true);
      if (++depth < deepest) through(x, nest).backward();
    };
    through(x, nest).backward();
    EXPECT_EQ(depth, deepest);
  };
  const int deepest = kSanitized ? 300 : 3000;
  run(deepest);
  const int started = autograd::spare_stacks_started();
  EXPECT_GT(started, 0);
  run(deepest);
  EXPECT_EQ(autograd::spare_stacks_started(), started);
  EXPECT_EQ(values(x.grad()), (Values{2.0 * deepest}));
}

// Row: PyTorch D6
TEST(Reentrant, AnErrorOfTheChildReachesTheCallerOfTheParent) {
  struct Unusual : std::runtime_error {
    using runtime_error::runtime_error;
  };
  const Tensor x = leaf({1}), w = leaf({1});
  const Tensor y = through(x, [&] {
    AutoGradMode on(true);
    const Tensor z = w * 2;
    z.register_hook([](const Tensor&) { throw Unusual("child"); });
    z.backward();
  });
  EXPECT_THROW(y.backward({}, true), Unusual);
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(w.grad().defined());
}

TEST(Reentrant, AParentMayCatchTheErrorOfItsChild) {
  const Tensor x = leaf({1}), w = leaf({1});
  const Tensor y = through(x, [&] {
    AutoGradMode on(true);
    const Tensor z = w * 2;
    z.register_hook([](const Tensor&) { throw std::runtime_error("child"); });
    EXPECT_THROW(z.backward(), std::runtime_error);
  });
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{1}));
}

// Row: PyTorch D6
TEST(Reentrant, AnErrorFarDownKeepsItsTypeOnTheWayUp) {
  const Tensor x = leaf({1});
  int depth = 0;
  std::function<void()> nest = [&] {
    AutoGradMode on(true);
    if (++depth == 200) throw std::out_of_range("bottom");
    through(x, nest).backward();
  };
  EXPECT_THROW(through(x, nest).backward(), std::out_of_range);
  EXPECT_EQ(thread_state.backward_depth, 0U);
  EXPECT_FALSE(x.grad().defined());
}

// Row: PyTorch D6
TEST(Reentrant, AnErrorOfTheParentFreesWhatItsChildrenMade) {
  const Tensor x = leaf({1}), w = leaf({1});
  const Tensor y = through(x, [&] {
    AutoGradMode on(true);
    (w * 2).backward();
    throw std::runtime_error("parent");
  });
  EXPECT_THROW(y.backward({}, true), std::runtime_error);
  EXPECT_EQ(values(w.grad()), (Values{2}));  // the child was done
  EXPECT_FALSE(x.grad().defined());
  EXPECT_THROW(y.backward(), std::runtime_error);  // the graph is free again
  EXPECT_EQ(values(w.grad()), (Values{4}));
}

// Row: PyTorch J6
TEST(Reentrant, GradModeIsRestored) {
  const Tensor x = leaf({1}), w = leaf({1});
  std::vector<bool> modes;
  const Tensor y = through(x, [&] {
    modes.push_back(GradMode::is_enabled());
    {
      AutoGradMode on(true);
      const Tensor z = through(w, [&] { modes.push_back(GradMode::is_enabled()); });
      z.backward({}, false, true);
      modes.push_back(GradMode::is_enabled());
    }
    modes.push_back(GradMode::is_enabled());
  });
  y.backward();
  EXPECT_EQ(modes, (std::vector<bool>{false, true, true, false}));
  EXPECT_TRUE(GradMode::is_enabled());
}

}  // namespace
}  // namespace eagre::test
