// Callbacks at the end of backward(), and what can be asked while it runs.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include <eagre/autograd/engine/current_task.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::queue_callback;

// Row: PyTorch D7
TEST(FinalCallbacks, RunAfterAllGradients) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 3;
  Values seen;
  y.register_hook([&](const Tensor&) { queue_callback([&] { seen = values(x.grad()); }); });
  y.sum().backward();
  EXPECT_EQ(seen, (Values{3, 3}));
}

// Row: PyTorch D7
TEST(FinalCallbacks, MayQueueMore) {
  const Tensor x = leaf({1});
  std::string order;
  x.register_hook([&](const Tensor&) {
    queue_callback([&] {
      order += 'a';
      queue_callback([&] { order += 'c'; });
    });
    queue_callback([&] { order += 'b'; });
  });
  (x * 2).backward();
  EXPECT_EQ(order, "abc");
}

// Row: PyTorch D7
TEST(FinalCallbacks, BelongToTheInnermostCall) {
  const Tensor x = leaf({1}), inner = leaf({1});
  std::string order;
  inner.register_hook([&](const Tensor&) { queue_callback([&] { order += "inner "; }); });
  x.register_hook([&](const Tensor&) {
    queue_callback([&] { order += "outer "; });
    const AutoGradMode on(true);
    (inner * 2).backward();
    order += "after ";
  });
  (x * 2).backward();
  EXPECT_EQ(order, "inner after outer ");
}

// Row: Paddle B16, Paddle defect 7
TEST(FinalCallbacks, AreDroppedWhenBackwardThrows) {
  const Tensor x = leaf({1});
  int calls = 0;
  const Tensor y = x * 2;
  y.register_hook([&](const Tensor&) { queue_callback([&] { ++calls; }); });
  auto handle = x.register_hook([](const Tensor&) { throw std::runtime_error("stop"); });
  EXPECT_THROW(y.backward({}, true), std::runtime_error);
  handle.remove();
  (leaf({1}) * 2).backward();
  EXPECT_EQ(calls, 0);
  y.backward();
  EXPECT_EQ(calls, 1);
}

// Row: PyTorch D7
TEST(FinalCallbacks, TheirErrorsReachTheCallerAndDropTheRest) {
  const Tensor x = leaf({1});
  int calls = 0;
  x.register_hook([&](const Tensor&) {
    queue_callback([] { throw std::logic_error("from a callback"); });
    queue_callback([&] { ++calls; });
  });
  EXPECT_THROW((x * 2).backward(), std::logic_error);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(values(x.grad()), (Values{2}));
}

TEST(FinalCallbacks, OutsideOfBackwardThereAreNone) {
  const std::string text = error_of(ErrorKind::kAutograd, [] { queue_callback([] {}); });
  expect_parts(text, {"Final callbacks can only be installed during backward pass."});
}

// Row: PyTorch D7
TEST(FinalCallbacks, RunInTheGradModeOfTheCaller) {
  const Tensor x = leaf({1});
  bool inside = true, at_end = false;
  x.register_hook([&](const Tensor&) {
    inside = GradMode::is_enabled();
    queue_callback([&] { at_end = GradMode::is_enabled(); });
  });
  (x * 2).backward();
  EXPECT_FALSE(inside);
  EXPECT_TRUE(at_end);
}

// Row: Paddle P12
TEST(FinalHooks, RunOnceAtTheEndOfTheNextCall) {
  const Tensor x = leaf({1});
  std::vector<Values> seen;
  autograd::add_backward_final_hook([&] { seen.push_back(values(x.grad())); });
  EXPECT_TRUE(seen.empty());
  (x * 2).backward();
  (x * 2).backward();
  EXPECT_EQ(seen, (std::vector<Values>{{2}}));
  autograd::add_backward_final_hook([&] { seen.clear(); });
  autograd::grad({x * 2}, {x});
  EXPECT_TRUE(seen.empty());
}

TEST(FinalHooks, AddedDuringACallRunAtItsEnd) {
  const Tensor x = leaf({1});
  int calls = 0;
  auto handle =
      x.register_hook([&](const Tensor&) { autograd::add_backward_final_hook([&] { ++calls; }); });
  (x * 2).backward();
  EXPECT_EQ(calls, 1);
  handle.remove();
  (x * 2).backward();
  EXPECT_EQ(calls, 1);
}

TEST(FinalHooks, BelongToTheOuterOfNestedCalls) {
  const Tensor x = leaf({1}), inner = leaf({1});
  std::string order;
  x.register_hook([&](const Tensor&) {
    const AutoGradMode on(true);
    (inner * 2).backward();
    order += "inner is done, ";
  });
  autograd::add_backward_final_hook([&] { order += "hook"; });
  (x * 2).backward();
  EXPECT_EQ(order, "inner is done, hook");
}

// Row: Paddle B16, Paddle defect 7
TEST(FinalHooks, AreNotLeftToTheNextCallWhenOneThrows) {
  int calls = 0;
  const auto add = [&] { autograd::add_backward_final_hook([&] { ++calls; }); };
  const Tensor x = leaf({1});
  auto handle = x.register_hook([](const Tensor&) { throw std::runtime_error("stop"); });
  add();
  EXPECT_THROW((x * 2).backward(), std::runtime_error);
  handle.remove();
  add();
  EXPECT_THROW(tensor({1.0}, kFloat64).backward(), Error);  // refused before it begins
  (x * 2).backward();
  EXPECT_EQ(calls, 0);
}

TEST(FinalHooks, TheirErrorsReachTheCaller) {
  autograd::add_backward_final_hook([] { throw std::logic_error("from a hook"); });
  EXPECT_THROW((leaf({1}) * 2).backward(), std::logic_error);
}

TEST(FinalHooks, OfOtherThreadsStayThere) {
  int calls = 0;
  autograd::add_backward_final_hook([&] { ++calls; });
  std::thread([] { (leaf({1}) * 2).backward(); }).join();
  EXPECT_EQ(calls, 0);
  (leaf({1}) * 2).backward();
  EXPECT_EQ(calls, 1);
}

// Row: PyTorch D2
TEST(CurrentTask, EveryCallHasItsOwnId) {
  EXPECT_EQ(autograd::current_graph_task_id(), -1);
  const Tensor x = leaf({1}), inner = leaf({1});
  std::vector<int64_t> ids;
  inner.register_hook([&](const Tensor&) { ids.push_back(autograd::current_graph_task_id()); });
  x.register_hook([&](const Tensor&) {
    ids.push_back(autograd::current_graph_task_id());
    const AutoGradMode on(true);
    (inner * 2).backward();
    ids.push_back(autograd::current_graph_task_id());
  });
  (x * 2).backward();
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_GE(ids[0], 0);
  EXPECT_GT(ids[1], ids[0]);
  EXPECT_EQ(ids[2], ids[0]);
  const auto old = ids;
  (x * 2).backward();
  EXPECT_GT(ids[3], old[1]);
  EXPECT_EQ(autograd::current_graph_task_id(), -1);
}

TEST(CurrentTask, IdIsMinusOneAfterAnError) {
  const Tensor x = leaf({1});
  x.register_hook([](const Tensor&) { throw std::runtime_error("stop"); });
  EXPECT_THROW((x * 2).backward(), std::runtime_error);
  EXPECT_EQ(autograd::current_graph_task_id(), -1);
  EXPECT_FALSE(autograd::current_node());
}

// Row: PyTorch D2
TEST(CurrentTask, KnowsWhetherTheGraphIsKept) {
  EXPECT_TRUE(autograd::current_graph_task_keeps_graph());
  const Tensor x = leaf({1});
  std::vector<bool> kept;
  x.register_hook(
      [&](const Tensor&) { kept.push_back(autograd::current_graph_task_keeps_graph()); });
  const Tensor y = x * 2;
  y.backward({}, true);
  y.backward();
  EXPECT_EQ(kept, (std::vector<bool>{true, false}));
}

// Row: PyTorch D2
TEST(CurrentTask, KnowsTheNodeThatRuns) {
  EXPECT_FALSE(autograd::current_node());
  const Tensor x = leaf({1});
  const Tensor y = x.exp();
  std::string name;
  y.register_hook([&](const Tensor&) { name = std::string(autograd::current_node()->name()); });
  (y * 2).backward();
  EXPECT_EQ(name, "ExpBackward0");
}

// Row: PyTorch D1
TEST(CurrentTask, TellsTheOrderInWhichNodesRun) {
  error_of(ErrorKind::kAutograd, [] { autograd::current_graph_task_execution_order(); });
  const Tensor x = leaf({1, 2});
  const Tensor a = x.exp(), b = x.sin(), c = a * b, d = c.sum();
  std::vector<std::string> told, seen;
  d.register_hook([&](const Tensor&) {
    for (const auto& node : autograd::current_graph_task_execution_order()) {
      told.emplace_back(node->name());
    }
  });
  for (const Tensor& tensor : {d, c, a, b, x}) {
    tensor.register_hook(
        [&](const Tensor&) { seen.emplace_back(autograd::current_node()->name()); });
  }
  d.backward();
  EXPECT_EQ(told, seen);
  EXPECT_EQ(told.size(), 5U);
  EXPECT_EQ(told.back(), "AccumulateGrad");
}

TEST(CurrentTask, TheOrderOfGradHasOnlyWhatIsNeeded) {
  const Tensor x = leaf({1, 2}), other = leaf({3, 4});
  const Tensor a = x.exp(), b = other.sin(), d = (a * b).sum();
  size_t count = 0;
  d.register_hook(
      [&](const Tensor&) { count = autograd::current_graph_task_execution_order().size(); });
  autograd::grad({d}, {a});
  EXPECT_EQ(count, 3U);  // sum, mul, and exp, where the result is taken
}

}  // namespace
}  // namespace eagre::test
