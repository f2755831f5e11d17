// Anomaly mode, the search for NaN, events, the log of nodes, and graphs as text.
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>

#include <eagre/autograd/engine/anomaly.h>
#include <eagre/autograd/tape/graph_text.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/log.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::AnomalyMode;
using autograd::DetectAnomalyGuard;

std::vector<std::string> warnings;  // NOLINT
std::vector<std::string> messages;  // NOLINT

class Watching : public testing::Test {
 protected:
  void SetUp() override {
    warnings.clear();
    messages.clear();
    set_warning_handler([](const std::string& text) { warnings.push_back(text); });
  }
  void TearDown() override {
    set_warning_handler(nullptr);
    set_log_handler(nullptr);
    autograd::set_node_observer(nullptr);
    set_flags({{"log", std::string("off")},
               {"check_nan_inf", false},
               {"check_nan_inf_level", std::string("error")},
               {"check_nan_inf_ops", std::string("auto")},
               {"check_nan_inf_skip", std::string("auto")}});
  }
};

// 0 / 0 in the gradient, while the forward is fine.
Tensor nan_in_backward(const Tensor& x) { return (x * 0).sqrt() * 0; }

// Row: PyTorch L4
TEST_F(Watching, AnomalyModeFindsNanAndTheForwardLine) {
  const Tensor x = leaf({1, 2});
  const DetectAnomalyGuard guard;
  const Tensor y = nan_in_backward(x).sum();
  const std::string text = error_of(ErrorKind::kAutograd, [&] { y.backward(); });
  expect_parts(text, {"Function 'SqrtBackward0' returned nan values in its 0th output."});
  ASSERT_EQ(warnings.size(), 1U);
  expect_parts(warnings[0], {"Error detected in SqrtBackward0", "anomaly_test.cpp"});
}

// Row: PyTorch L4
TEST_F(Watching, WithoutAnomalyModeNanIsAValue) {
  const Tensor x = leaf({1, 2});
  nan_in_backward(x).sum().backward();
  EXPECT_TRUE(std::isnan(values(x.grad())[0]));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Watching, AnomalyModeWithoutTheNanCheck) {
  const Tensor x = leaf({1, 2});
  const DetectAnomalyGuard guard(false);
  nan_in_backward(x).sum().backward();
  EXPECT_TRUE(std::isnan(values(x.grad())[0]));
}

// Row: PyTorch L4
TEST_F(Watching, AnomalyModeNests) {
  EXPECT_FALSE(AnomalyMode::is_enabled());
  {
    const DetectAnomalyGuard outer;
    {
      const DetectAnomalyGuard inner(false);
      EXPECT_FALSE(AnomalyMode::should_check_nan());
    }
    EXPECT_TRUE(AnomalyMode::is_enabled());
    EXPECT_TRUE(AnomalyMode::should_check_nan());
  }
  EXPECT_FALSE(AnomalyMode::is_enabled());
}

// Row: PyTorch L4
TEST_F(Watching, AnomalyModeKeepsTheTypeOfErrors) {
  const DetectAnomalyGuard guard;
  const Tensor x = leaf({1}), y = x.detach().clone();
  record({x}, {y}, [](autograd::BackwardCall&) { throw std::out_of_range("mine"); });
  EXPECT_THROW(y.backward(), std::out_of_range);
  ASSERT_EQ(warnings.size(), 1U);
  expect_parts(warnings[0], {"Error detected in FunctionNode"});
}

// Row: PyTorch L4
TEST_F(Watching, AnomalyModeNamesTheNodeWhoseHookThrows) {
  const DetectAnomalyGuard guard;
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  y.register_hook([](const Tensor&) { throw std::out_of_range("mine"); });
  EXPECT_THROW(y.sum().backward(), std::out_of_range);
  ASSERT_EQ(warnings.size(), 1U);
  expect_parts(warnings[0], {"Error detected in MulBackward0", "anomaly_test.cpp"});
}

TEST_F(Watching, AWarningThatIsAnErrorDoesNotHideTheFirstOne) {
  set_warning_handler([](const std::string&) { throw std::runtime_error("warnings are errors"); });
  const DetectAnomalyGuard guard;
  const Tensor x = leaf({1, 2});
  error_of(ErrorKind::kAutograd, [&] { nan_in_backward(x).sum().backward(); });
}

// Row: PyTorch L4
TEST_F(Watching, AnomalyModeNamesTheParentOfANodeThatBackwardRecorded) {
  const DetectAnomalyGuard guard;
  const Tensor x = leaf({0, 0});
  const Tensor y = (x * x).sum();
  const Tensor first = autograd::grad({y}, {x}, {}, true, true)[0];
  ASSERT_NE(first.get().grad_node, nullptr);
  autograd::gradient_edge(first).node->add_hook(
      0, std::make_unique<autograd::CallableHook<std::function<TensorBase(const TensorBase&)>>>(
             [](const TensorBase& gradient) -> TensorBase { return gradient; }));
  const Tensor bad = first.sqrt().sum();
  error_of(ErrorKind::kAutograd, [&] { (bad * 0).backward(); });
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(warnings[0].find("induced by"), std::string::npos);  // sqrt is the user's own

  warnings.clear();
  const Tensor z = leaf({2});
  const Tensor w = z.pow(3);
  const Tensor slope = autograd::grad({w}, {z}, {}, true, true)[0];
  const auto edge = autograd::gradient_edge(slope);
  ASSERT_NE(edge.node->extras(), nullptr);
  ASSERT_NE(edge.node->extras()->origin, nullptr);
  EXPECT_EQ(edge.node->extras()->origin->name, "PowBackward0");
}

// Row: PyTorch L7
TEST_F(Watching, EventsSurroundEveryNode) {
  static std::vector<std::string> seen;
  seen.clear();
  EXPECT_EQ(autograd::set_node_observer([](const autograd::NodeEvent& event) {
              seen.push_back((event.is_begin ? "+" : "-") + std::string(event.node.name()));
            }),
            nullptr);
  const Tensor x = leaf({1, 2});
  (x * 2).sum().backward();
  EXPECT_EQ(seen,
            (std::vector<std::string>{"+SumBackward0", "-SumBackward0", "+MulBackward0",
                                      "-MulBackward0", "+AccumulateGrad", "-AccumulateGrad"}));
  autograd::set_node_observer(nullptr);
  seen.clear();
  (x * 2).sum().backward();
  EXPECT_TRUE(seen.empty());
}

// Row: PyTorch L7
TEST_F(Watching, AnObserverThatThrowsFailsTheCall) {
  for (const bool at_begin : {true, false}) {
    autograd::set_node_observer(at_begin ? [](const autograd::NodeEvent& event) {
      if (event.is_begin) throw std::out_of_range("begin");
    } : [](const autograd::NodeEvent& event) {
      if (!event.is_begin) throw std::out_of_range("end");
    });
    const Tensor x = leaf({1, 2});
    EXPECT_THROW((x * 2).sum().backward(), std::out_of_range);
    EXPECT_FALSE(x.grad().defined());
    autograd::set_node_observer(nullptr);
    (x * 2).sum().backward();
    EXPECT_EQ(values(x.grad()), (Values{2, 2}));
  }
}

TEST_F(Watching, TheErrorOfTheNodeCountsMoreThanThatOfTheObserver) {
  autograd::set_node_observer([](const autograd::NodeEvent& event) {
    if (!event.is_begin) throw std::out_of_range("the observer's");
  });
  const Tensor x = leaf({1}), y = x.detach().clone();
  record({x}, {y}, [](autograd::BackwardCall&) { throw std::length_error("the node's"); });
  EXPECT_THROW(y.backward(), std::length_error);
}

// Row: PyTorch L6
TEST_F(Watching, TheDebugLogNamesEveryNodeWithShapes) {
  set_log_handler([](LogLevel, const std::string& text) { messages.push_back(text); });
  set_flag("log", std::string("debug"));
  const Tensor x = leaf({1, 2});
  (x * 2).sum().backward();
  std::string all;
  for (const std::string& text : messages) all += text + "\n";
  expect_parts(all, {"SumBackward0", "MulBackward0", "[2]", "anomaly_test.cpp", "AccumulateGrad"});
}

// --- the flag check_nan_inf ---

TEST_F(Watching, CheckNanInfFindsThemInTheForward) {
  const Tensor x = make({2}, {0, 1});
  EXPECT_TRUE(std::isinf(values(x.log())[0]));
  set_flag("check_nan_inf", true);
  const std::string text = error_of(ErrorKind::kInvalidArgument, [&] { x.log(); });
  expect_parts(text, {"log()", "infinite", "[2]", "anomaly_test.cpp"});
  const Tensor negative = make({1}, {-1});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { negative.sqrt(); }), {"NaN"});
  EXPECT_EQ(values(x + 1), (Values{1, 2}));  // the others go on
  set_flag("check_nan_inf", false);
  EXPECT_TRUE(std::isinf(values(x.log())[0]));
}

TEST_F(Watching, CheckNanInfFindsThemInKernelsThatAreNotPointwise) {
  const Tensor x = make({2}, {1e308, 1e308});
  set_flag("check_nan_inf", true);
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { x.sum(); }), {"sum()", "infinite"});
}

// Row: Paddle B17
TEST_F(Watching, CheckNanInfFindsThemInBackward) {
  const Tensor x = leaf({0, 1});
  const Tensor y = x.sqrt().sum();
  set_flag("check_nan_inf", true);
  const std::string text = error_of(ErrorKind::kInvalidArgument, [&] { y.backward(); });
  expect_parts(text, {"in the backward of SqrtBackward0, recorded at", "anomaly_test.cpp"});
}

TEST_F(Watching, CheckNanInfWarnsAndFollowsItsLists) {
  const Tensor x = make({1}, {0});
  set_flags({{"check_nan_inf", true}, {"check_nan_inf_level", std::string("warn")}});
  x.log();
  ASSERT_EQ(warnings.size(), 1U);
  set_flag("check_nan_inf_skip", std::string("exp, log"));
  x.log();
  EXPECT_EQ(warnings.size(), 1U);
  set_flags({{"check_nan_inf_skip", std::string("")}, {"check_nan_inf_ops", std::string("exp")}});
  x.log();
  EXPECT_EQ(warnings.size(), 1U);
  set_flag("check_nan_inf_ops", std::string("log,exp"));
  x.log();
  EXPECT_EQ(warnings.size(), 2U);
  error_of(ErrorKind::kInvalidArgument,
           [] { set_flag("check_nan_inf_level", std::string("loud")); });
}

// --- graphs as text ---

TEST_F(Watching, GraphsAsDotAndJson) {
  const Tensor x = leaf({1, 2});
  const Tensor y = (x * x).sum();
  const std::string dot = autograd::to_dot(y);
  expect_parts(dot, {"digraph", "SumBackward0", "MulBackward0", "AccumulateGrad", "float32 [2] cpu",
                     "anomaly_test.cpp:", "n0 -> n1"});
  const std::string json = autograd::to_json(y);
  expect_parts(json, {"\"root\": {\"node\": 0, \"slot\": 0}", "\"name\": \"MulBackward0\"",
                      "\"shape\": [2]", "{\"node\": 2, \"slot\": 0}, {\"node\": 2, \"slot\": 0}"});
  expect_parts(autograd::to_json(make({1}, {1})), {"\"root\": null"});
}

}  // namespace
}  // namespace eagre::test
