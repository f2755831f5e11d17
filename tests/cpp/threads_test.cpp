// Several backward calls at once: in threads, and inside each other.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>

#include <eagre/autograd/tape/node.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

constexpr int kRounds = kSanitized ? 20 : 200;

Tensor long_product(const Tensor& x, int length) {
  Tensor y = x;
  for (int i = 0; i < length; ++i) y = i % 3 == 0 ? y * x : y + x;
  return y;
}

// Row: PyTorch C9, PyTorch D11
TEST(Threads, OneRetainedGraph) {
  const Tensor x = tensor({1.0, 0.5, 0.25}, dtype(kFloat64).requires_grad());
  const Tensor y = long_product(x, 50).sum();
  const Values once = values(autograd::grad({y}, {x}, {}, true)[0]);
  for (int round = 0; round < kRounds; ++round) {
    x.set_grad(Tensor());
    in_threads(3, [&](int) { y.backward({}, true); });
    const Values sum = values(x.grad());
    for (size_t i = 0; i < once.size(); ++i)
      ASSERT_NEAR(sum[i], 3 * once[i], 1e-9 * std::abs(once[i]) + 1e-12);
  }
}

// Row: PyTorch D11, Paddle defect 4
TEST(Threads, GradAndBackwardOnOneGraph) {
  const Tensor x = tensor({1.0, 0.5}, dtype(kFloat64).requires_grad());
  const Tensor middle = long_product(x, 20);
  const Tensor y = long_product(middle, 20).sum();
  const Values wanted = values(autograd::grad({y}, {x}, {}, true)[0]);
  const Values at_middle = values(autograd::grad({y}, {middle}, {}, true)[0]);
  for (int round = 0; round < kRounds; ++round) {
    in_threads(4, [&](int i) {
      if (i == 0) return y.backward({}, true);
      const Tensor& input = i % 2 == 0 ? x : middle;
      EXPECT_EQ(values(autograd::grad({y}, {input}, {}, true)[0]), i % 2 == 0 ? wanted : at_middle);
    });
  }
}

// Row: PyTorch D11
TEST(Threads, WithoutRetainOneWins) {
  for (int round = 0; round < kRounds; ++round) {
    const Tensor x = tensor({1.0, 0.5}, dtype(kFloat64).requires_grad());
    Tensor y = x;
    for (int i = 0; i < 30; ++i) y = y * x;
    const Values once = values(autograd::grad({y.sum()}, {x}, {}, true)[0]);
    std::atomic<int> good = 0, refused = 0;
    const Tensor sum = y.sum();
    in_threads(2, [&](int) {
      try {
        sum.backward();
        ++good;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kAutograd) << error.message();
        ++refused;
      }
    });
    EXPECT_EQ(good, 1);
    EXPECT_EQ(refused, 1);
    const Values got = values(x.grad());
    for (size_t i = 0; i < once.size(); ++i) ASSERT_NEAR(got[i], once[i], 1e-9);
  }
}

// Row: Paddle D13
TEST(Threads, SeveralOutputsOfOneNode) {
  for (int round = 0; round < kRounds; ++round) {
    const Tensor x = tensor({1.0}, dtype(kFloat64).requires_grad());
    const Tensor a = x.detach() * 2, b = x.detach() * 3;
    record({x}, {a, b}, [](autograd::BackwardCall& call) {
      Tensor sum = Tensor(call.grad(0)) * 2;
      call.set(0, sum + Tensor(call.grad(1)) * 3);
    });
    const Tensor y = a * b;
    in_threads(3, [&](int) { y.backward({}, true); });
    EXPECT_EQ(values(x.grad()), (Values{36}));
  }
}

TEST(Threads, BuildAndFreeManyGraphs) {
  const Tensor shared = tensor({1.0, 2.0}, dtype(kFloat64).requires_grad());
  in_threads(4, [&](int me) {
    for (int i = 0; i < kRounds; ++i) {
      const Tensor own = tensor({1.0, 1.0}, dtype(kFloat64).requires_grad());
      const Tensor y = long_product(own * shared, 10).sum();
      if ((i + me) % 3 == 0) continue;  // freed without backward
      y.backward();
      EXPECT_TRUE(own.grad().defined());
    }
  });
  EXPECT_TRUE(shared.grad().defined());
}

TEST(Threads, GraphFreedByAnotherThread) {
  for (int round = 0; round < kRounds; ++round) {
    const Tensor x = tensor({1.0}, dtype(kFloat64).requires_grad());
    Tensor y = long_product(x, 100);
    Tensor again = y * y;
    std::thread other([y = std::move(y)]() mutable { y = Tensor(); });
    again.backward();
    again = Tensor();
    other.join();
  }
}

TEST(Threads, HooksSeenByAll) {
  const Tensor x = tensor({1.0}, dtype(kFloat64).requires_grad());
  std::atomic<int> calls = 0;
  const Tensor y = x * x;
  y.register_hook([&](const Tensor&) { ++calls; });
  in_threads(4, [&](int) {
    for (int i = 0; i < kRounds; ++i) y.backward({}, true);
  });
  EXPECT_EQ(calls, 4 * kRounds);
  EXPECT_EQ(values(x.grad()), (Values{8.0 * kRounds}));
}

TEST(Reentrant, BackwardOfAnotherGraphInAHook) {
  const Tensor x = leaf({3}), w = leaf({2});
  const Tensor y = x * x;
  y.register_hook([&](const Tensor& g) {
    EXPECT_FALSE(GradMode::is_enabled());
    AutoGradMode on(true);
    (w * w).backward();
    return g * 2;
  });
  y.exp().backward(tensor({0.0F}));
  EXPECT_EQ(values(w.grad()), (Values{4}));
}

TEST(Reentrant, SameGraph) {
  for (const int depth : {1, 5, 59, 60, 61, 500}) {
    const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
    const Tensor y = x * x;
    const Tensor z = y * 2;
    int entered = 0;
    y.register_hook([&](const Tensor&) {
      if (entered++ < depth) z.backward({}, true);
    });
    z.backward({}, true);
    EXPECT_EQ(entered, depth + 1);
    EXPECT_EQ(values(x.grad()), (Values{12.0 * (depth + 1)}));
  }
}

TEST(Reentrant, DeepCallsNeedNoDeepStack) {
  on_small_stack(512 << 10, [] {
    const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
    const Tensor z = x * x;
    int entered = 0;
    z.register_hook([&](const Tensor&) {
      if (entered++ < 500) z.backward({}, true);
    });
    z.backward({}, true);
    EXPECT_EQ(values(x.grad()), (Values{6.0 * 501}));
  });
}

TEST(Reentrant, ErrorFromTheDepth) {
  const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
  const Tensor z = x * x;
  int entered = 0;
  HookHandle handle = z.register_hook([&](const Tensor&) {
    if (entered++ == 150) throw std::runtime_error("deep down");
    z.backward({}, true);
  });
  EXPECT_THROW(z.backward({}, true), std::runtime_error);
  handle.remove();
  EXPECT_FALSE(x.grad().defined());
  z.backward({}, true);  // every claim was given back
  EXPECT_EQ(values(x.grad()), (Values{6}));
  EXPECT_EQ(values(autograd::grad({z}, {x})[0]), (Values{6}));
}

TEST(Reentrant, GradInsideAHook) {
  const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
  const Tensor y = x * x;
  const Tensor z = y * y;
  y.register_hook([&](const Tensor& g) -> Tensor {
    static thread_local bool inside = false;
    if (inside) return {};
    inside = true;
    const Tensor inner = autograd::grad({z}, {x}, {}, true)[0];
    inside = false;
    EXPECT_EQ(values(inner), (Values{108}));
    return g + inner;
  });
  EXPECT_EQ(values(autograd::grad({z}, {x}, {}, true)[0]), (Values{(18 + 108) * 6.0}));
}

// Row: PyTorch J6
TEST(Reentrant, ModesOfTheCallerAreKept) {
  const Tensor x = tensor({3.0}, dtype(kFloat64).requires_grad());
  const Tensor z = x * x;
  int entered = 0;
  z.register_hook([&](const Tensor&) {
    if (entered++ < 70) z.backward({}, true, true);
    EXPECT_TRUE(GradMode::is_enabled());
  });
  z.backward({}, true, true);
  EXPECT_TRUE(x.grad().requires_grad());
  x.set_grad(Tensor());
}

}  // namespace
}  // namespace eagre::test
