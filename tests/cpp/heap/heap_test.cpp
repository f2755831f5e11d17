// The heap: not used in steady state, and every failure of it is an exception that leaks nothing.
#include <cstdint>

#include "cpp/heap/failing_heap.h"

namespace eagre::test {
namespace {

template <class F>
uint64_t heap_calls(F f) {
  f();
  f();  // free lists and tables are filled
  const uint64_t before = heap_counts().calls;
  for (int i = 0; i < 100; ++i) f();
  return heap_counts().calls - before;
}

TEST(Heap, NotUsedInSteadyState) {
  const Tensor a = tensor({1.0F}), x = leaf({1});
  EXPECT_EQ(heap_calls([&] { a + a; }), 0U);
  EXPECT_EQ(heap_calls([&] { a * 2; }), 0U);
  EXPECT_EQ(heap_calls([&] { a.exp(); }), 0U);
  EXPECT_EQ(heap_calls([&] { a.unsqueeze(0).transpose(0, 1); }), 0U);
  EXPECT_EQ(heap_calls([&] { a + tensor({1}); }), 0U);
  EXPECT_EQ(heap_calls([&] { x* x; }), 0U);
  EXPECT_EQ(heap_calls([&] { (x * x).exp().sum(); }), 0U);
  const Tensor many = full({1, 1, 1, 2, 1, 3}, 1.0);
  EXPECT_EQ(heap_calls([&] { many + many; }), 0U);
  EXPECT_EQ(heap_calls([&] { many.transpose(0, 3) * many.transpose(0, 3); }), 0U);
}

TEST(Heap, NotUsedByBackwardInSteadyState) {
  const Tensor x = leaf({1});
  Tensor y = x;
  for (int i = 0; i < 100; ++i) y = y * x;
  // The list of roots may be allocated, not something per node.
  EXPECT_LE(heap_calls([&] { y.backward({}, true); }), 100 * 3U);
}

TEST(Heap, FailureIsAnException) {
  const Tensor small = tensor({1.0F, 2.0F});
  expect_survives([&] { small + small; });
  expect_survives([&] { small.unsqueeze(0).expand({3, 2}) + 1; });
  expect_survives([&] { full({1, 1, 1, 1, 1, 1, 2}, 1.0).transpose(0, 6) * 2; });
  expect_survives([&] { full({1000}, 1.0) * 2; });
  expect_survives([&] { matmul(full({4, 4}, 1.0), full({4, 4}, 1.0).transpose(0, 1)); });
  expect_survives([&] { full({3, 3}, 1).sum(0, false, kFloat64); });
}

TEST(Heap, FailureWhileRecordingAndInBackward) {
  const Tensor x = leaf({1, 2});
  expect_survives([&] {
    Tensor y = (x * x).exp();
    y = y * 2 + x;
    y.sum().backward();
    x.set_grad(Tensor());
  });
  x.set_grad(Tensor());
  expect_survives([&] {
    const Tensor y = (x * x).exp().sum();
    const Tensor first = autograd::grad({y}, {x}, {}, true, true)[0];
    autograd::grad({first.sum()}, {x});
  });
  expect_survives([&] {
    const Tensor y = x * 2;
    y.mul_(x);
    y.register_hook([](const Tensor& g) { return g * 2; });
    autograd::SavedTensorHooks scope([](const Tensor& t) { return t.clone(); },
                                     [](const Tensor& t) { return t; });
    y.exp().sum().backward();
    x.set_grad(Tensor());
  });
}

TEST(Heap, FailureWithForeignMemoryAndLeaves) {
  static float memory[2] = {1, 2};
  expect_survives([&] {
    from_blob(memory, {2}, kFloat32) + 1;
    leaf({1, 2});
  });
}

}  // namespace
}  // namespace eagre::test
