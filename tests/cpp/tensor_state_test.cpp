// What a tensor is to autograd, in C++: retained gradients, .data, detach_, hooks by position.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/warn.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

// Row: PyTorch E5
TEST(RetainGrad, FillsTheGradOfAResult) {
  const Tensor x = leaf({3});
  const Tensor y = x * 2;
  EXPECT_FALSE(y.retains_grad());
  y.retain_grad();
  EXPECT_TRUE(y.retains_grad());
  const Tensor z = y * y;
  z.backward({}, true);
  EXPECT_EQ(values(y.grad()), (Values{12}));
  z.backward();
  EXPECT_EQ(values(y.grad()), (Values{24}));
  x.retain_grad();
  EXPECT_FALSE(x.retains_grad()) << "a leaf has its gradient anyway";
  expect_parts(error_of(ErrorKind::kAutograd, [] { tensor({1.0}, kFloat64).retain_grad(); }),
               {"requires_grad=False"});
}

// Row: PyTorch E5, PyTorch E7
TEST(RetainGrad, IsWeakAndFollowsWrites) {
  const Tensor x = leaf({3});
  Tensor y = x * 2;
  y.retain_grad();
  y.mul_(5);
  Tensor z = y + 1;
  z.backward({}, true);
  EXPECT_EQ(values(y.grad()), (Values{1}));
  y = Tensor();
  z.backward();
  EXPECT_EQ(values(x.grad()), (Values{20}));
}

TEST(RetainGrad, WithCreateGraphIsRecorded) {
  const Tensor x = leaf({3});
  const Tensor y = x * x;
  y.retain_grad();
  autograd::backward({(y * y).sum()}, {}, std::nullopt, true, {y});
  EXPECT_TRUE(y.grad().requires_grad());
  EXPECT_EQ(values(autograd::grad({y.grad()}, {x})[0]), (Values{12}));
}

// Row: PyTorch B13
TEST(Backward, InputsGetTheirGradAlone) {
  const Tensor x = leaf({3}), w = leaf({2});
  const Tensor y = x * w;
  autograd::backward({y * 5}, {}, true, false, {y, w});
  EXPECT_EQ(values(y.grad()), (Values{5}));
  EXPECT_EQ(values(w.grad()), (Values{15}));
  EXPECT_FALSE(x.grad().defined());
  y.backward({}, std::nullopt, false, {x});
  EXPECT_EQ(values(x.grad()), (Values{2}));
}

// Row: PyTorch B10, PyTorch B13
TEST(Backward, InputsThatAreNotNeededRunNothing) {
  std::atomic<int> runs = 0;
  const Tensor x = leaf({3}), other = leaf({1});
  autograd::backward({counted(x * 2, runs)}, {}, false, false, {other});
  EXPECT_EQ(runs, 0);
  EXPECT_FALSE(other.grad().defined());
}

// Row: PyTorch B7
TEST(Backward, CreateGraphWarnsOnce) {
  static int warnings;
  warnings = 0;
  const WarningHandler before = set_warning_handler([](const std::string& message) {
    if (message.find("reference cycle") != std::string::npos) ++warnings;
  });
  const Tensor x = leaf({3});
  (x * x).backward({}, false, true);
  (x * x).backward({}, false, true);
  set_warning_handler(before);
  x.set_grad(Tensor());    // or the cycle that it warns of would be a leak
  EXPECT_EQ(warnings, 1);  // ctest gives every test a process of its own
}

// Row: PyTorch B11, Paddle B19
TEST(Grad, MaterializesZerosAndBlocks) {
  const Tensor x = leaf({3}), other = leaf({1, 2});
  const Tensor y = x * 2;
  const auto zeros = autograd::grad({y}, {x, other}, {}, true, false, false, true);
  EXPECT_EQ(values(zeros[0]), (Values{2}));
  EXPECT_EQ(values(zeros[1]), (Values{0, 0}));
  const auto blocked = autograd::grad({y * x}, {x}, {}, true, false, false, false, {y});
  EXPECT_EQ(values(blocked[0]), (Values{6}));
}

// Row: PyTorch E13
TEST(TensorHooks, ArePositions) {
  const Tensor x = leaf({3});
  const uint64_t first = x.register_hook([](const Tensor& g) { return g * 10; });
  const uint64_t second = x.register_hook([](const Tensor& g) { return g * 2; });
  EXPECT_EQ(first, 0U);
  EXPECT_EQ(second, 1U);
  x.backward();
  EXPECT_EQ(values(x.grad()), (Values{20}));
  x.remove_hook(first);
  x.backward();
  EXPECT_EQ(values(x.grad()), (Values{22}));
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { x.remove_hook(first); }),
               {"no hook at position 0"});
  expect_parts(
      error_of(ErrorKind::kInvalidArgument, [] { tensor({1.0}, kFloat64).remove_hook(7); }),
      {"position 7"});
}

// Row: PyTorch E11
TEST(TensorHooks, HandlesAreWeak) {
  HookHandle handle;
  {
    const Tensor y = leaf({3}) * 2;
    handle = y.register_hook([](const Tensor&) {});
  }
  EXPECT_FALSE(handle.remove());
}

// Row: PyTorch E4
TEST(AccumulatedHooks, SeeTheLeafAfterwards) {
  const Tensor x = leaf({3});
  Values seen;
  HookHandle handle =
      x.register_post_accumulate_grad_hook([&](const Tensor& leaf) { seen = values(leaf.grad()); });
  (x * 2).backward();
  EXPECT_EQ(seen, (Values{2}));
  EXPECT_TRUE(handle.remove());
  (x * 2).backward();
  EXPECT_EQ(seen, (Values{2}));
  error_of(ErrorKind::kAutograd,
           [&] { (x * 2).register_post_accumulate_grad_hook([](const Tensor&) {}); });
}

// A hook that is registered while the node runs: nobody kept the gradients for it.
// Row: PyTorch E3
TEST(NodeHooks, RegisteredWhileTheNodeRuns) {
  class Watch final : public autograd::PostHook {
   public:
    explicit Watch(std::vector<bool>& seen) : seen_(seen) {}
    std::optional<autograd::GradientList> call(const autograd::GradientList& results,
                                               const autograd::GradientList& got) override {
      seen_ = {results[0].defined(), got[0].defined()};
      return std::nullopt;
    }

   private:
    std::vector<bool>& seen_;
  };
  std::vector<bool> seen;
  const Tensor x = leaf({3});
  const Tensor y = x.detach() * 2;
  record({x}, {y}, [&](autograd::BackwardCall& call) {
    add_hook(*y.grad_fn(), autograd::HookKind::kAfter, std::make_shared<Watch>(seen));
    call.set(0, call.grad(0));
  });
  y.backward();
  EXPECT_EQ(seen, (std::vector<bool>{true, false}));
}

// Row: PyTorch A13
TEST(Data, IsTheSameMemoryWithoutVersion) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * x;
  x.data().mul_(3);
  EXPECT_EQ(x.version(), 0U);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 12}));
  x.set_data(tensor({5.0F}));
  EXPECT_TRUE(x.requires_grad());
  EXPECT_EQ(values(x.detach()), (Values{5}));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { x.set_data(tensor({1})); }), {"int64"});
}

// Row: PyTorch A14
TEST(Data, OfALeafInALiveGraphCanBeSet) {
  const Tensor x = leaf({1, 2});
  const Tensor view = x.view({2, 1});
  const Tensor y = x * 3;
  for (float value : {0.0F, 1.0F, 2.0F}) x.set_data(tensor({value, value}));
  EXPECT_EQ(values(view.detach()), (Values{1, 2}));
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
}

TEST(Set, LeavesOlderViewsTheirMemory) {
  const Tensor x = ones({100000});
  const Tensor view = x.view({100, 1000});
  x.set_(zeros({3}));
  const Tensor other = full({100000}, 7);  // would take the memory if it were free
  EXPECT_EQ(view.sum().item<float>(), 100000);
  EXPECT_EQ(view.view({-1}).detach().sum().item<float>(), 100000);
}

// Row: PyTorch A12
TEST(DetachInPlace, MakesALeaf) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  EXPECT_EQ(y.grad_fn()->name(), "MulBackward0");
  EXPECT_TRUE(y.detach_().is_leaf());
  EXPECT_FALSE(y.requires_grad());
  EXPECT_FALSE(y.grad_fn());
  error_of(ErrorKind::kAutograd, [&] { x.view({2, 1}).detach_(); });
}

// Row: PyTorch A10
TEST(GradDType, CastsGradients) {
  const Tensor x = leaf({1, 2});
  EXPECT_EQ(x.grad_dtype(), kFloat32);
  x.set_grad_dtype(kFloat64);
  (x * 3).sum().backward();
  EXPECT_EQ(x.grad().dtype(), kFloat64);
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
  error_of(ErrorKind::kAutograd, [&] { x.set_grad_dtype(kFloat32); });
  error_of(ErrorKind::kAutograd, [&] { (x * 2).set_grad_dtype(kFloat64); });
}

// Row: PyTorch A15, Paddle B1
TEST(OutputNr, CountsTheOutputsOfANode) {
  const auto parts = leaf({1, 2, 3}).split(1);
  EXPECT_EQ(parts[2].output_nr(), 2);
}

}  // namespace
}  // namespace eagre::test
