// grad(): only what is needed runs, and results stand where they were asked for.
#include <atomic>
#include <cstddef>
#include <source_location>
#include <vector>

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/saved_visitor.h>
#include <eagre/base/intrusive_ptr.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::grad;

// Row: PyTorch B8, Paddle B10
TEST(Grad, LeavesAreNotTouched) {
  const Tensor x = leaf({3}), w = leaf({5});
  const Tensor y = x * w;
  const auto results = grad({y}, {x, w});
  EXPECT_EQ(values(results[0]), (Values{5}));
  EXPECT_EQ(values(results[1]), (Values{3}));
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(w.grad().defined());
}

// Row: PyTorch B10, PyTorch D3, Paddle B18
TEST(Grad, OnlyNeededNodesRun) {
  std::atomic<int> left = 0, right = 0, below = 0, above = 0;
  const Tensor a = leaf({2}), b = leaf({3});
  const Tensor a_deep = counted(a * 2, below);
  const Tensor x = counted(a_deep * 2, left);
  const Tensor y = counted(b * 2, right);
  const Tensor z = counted(x * y, above);
  EXPECT_EQ(values(grad({z}, {x}, {}, true)[0]), (Values{6}));
  EXPECT_EQ(above, 1);
  EXPECT_EQ(left, 0) << "the captured tensor's own node need not run";
  EXPECT_EQ(right, 0);
  EXPECT_EQ(below, 0);
  EXPECT_EQ(values(grad({z}, {a}, {}, true)[0]), (Values{24}));
  EXPECT_EQ(left + 10 * right + 100 * below, 101);
}

// Row: PyTorch B6, Paddle B18
TEST(Grad, SavedTensorsOfBranchesThatDoNotRunSurvive) {
  const Tensor a = leaf({2}), b = leaf({3});
  const Tensor left = a * a, right = b * b;
  const Tensor y = left + right;
  grad({y}, {a});
  EXPECT_EQ(values(grad({right}, {b})[0]), (Values{6}));
}

// Row: Paddle B11, Paddle B21
TEST(Grad, InteriorInputsAndDuplicates) {
  const Tensor x = leaf({2});
  const Tensor y = x * 3;
  const Tensor z = y * y;
  const auto results = grad({z}, {y, x, y, z});
  EXPECT_EQ(values(results[0]), (Values{12}));
  EXPECT_EQ(values(results[1]), (Values{36}));
  EXPECT_EQ(values(results[2]), (Values{12}));
  EXPECT_EQ(values(results[3]), (Values{1}));
}

TEST(Grad, InputAboveAndBelowAnother) {
  // z is captured and also on the way to x; the chain below x must not run.
  std::atomic<int> below = 0;
  const Tensor w = leaf({2});
  const Tensor x = counted(w * 1, below);
  const Tensor y = x * x;
  const Tensor z = y * x;
  const auto results = grad({z * 2}, {z, x, y});
  EXPECT_EQ(values(results[0]), (Values{2}));
  EXPECT_EQ(values(results[1]), (Values{24}));
  EXPECT_EQ(values(results[2]), (Values{4}));
  EXPECT_EQ(below, 0);
}

// Row: PyTorch B9
TEST(Grad, Unused) {
  const Tensor x = leaf({2}), other = leaf({1}), z = x * 2;
  expect_parts(error_of(ErrorKind::kAutograd,
                        [&] {
                          grad({z}, {x, other}, {}, true);
                        }),
               {"index 1", "not have been used", "allow_unused"});
  const auto results = grad({z}, {other, x}, {}, false, false, true);
  EXPECT_FALSE(results[0].defined());
  EXPECT_EQ(values(results[1]), (Values{2}));
  // An input above the output.
  EXPECT_FALSE(grad({x}, {z}, {}, true, false, true)[0].defined());
  expect_parts(error_of(ErrorKind::kAutograd, [&] { grad({z}, {tensor(1.0, kFloat64)}); }),
               {"does not require grad", "0"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { grad({z}, {}); }), {"inputs"});
}

// Row: PyTorch B5, Paddle B13, Paddle defect 6
TEST(Grad, SeveralOutputsDependingOnEachOther) {
  const Tensor x = leaf({2});
  const Tensor y = x * 3;
  const Tensor z = y * y;
  EXPECT_EQ(values(grad({y, z, y}, {x}, {}, true)[0]), (Values{3 + 36 + 3}));
  EXPECT_EQ(values(grad({z, y}, {y}, {tensor({10.0F}), tensor({1.0F})})[0]), (Values{121}));
}

// Row: Paddle B21
TEST(Grad, OutputIsInput) {
  const Tensor x = leaf({2});
  EXPECT_EQ(values(grad({x}, {x})[0]), (Values{1}));
  const Tensor y = x * 2;
  EXPECT_EQ(values(grad({y}, {y})[0]), (Values{1}));
}

TEST(Grad, ResultsSurviveLaterChanges) {
  const Tensor x = leaf({2});
  const Tensor y = x * 3;
  const Tensor given = tensor({1.0F});
  const Tensor g = grad({y}, {y}, {given})[0];
  g.add_(1);
  EXPECT_EQ(values(y.detach()), (Values{6}));
}

// --- nodes with several inputs and outputs ---

// Row: PyTorch B17, Paddle D13, Paddle B20, Paddle defect 5
TEST(CustomNode, TwoOutputs) {
  const Tensor x = leaf({1, 2});
  const Tensor twice = x.detach() * 2, square = x.detach() * x.detach();
  record({x}, {twice, square}, [x](autograd::BackwardCall& call) {
    Tensor sum;
    if (call.grad(0).defined()) sum = Tensor(call.grad(0)) * 2;
    if (call.grad(1).defined()) {
      const Tensor part = Tensor(call.grad(1)) * x.detach() * 2;
      sum = sum.defined() ? sum + part : part;
    }
    call.set(0, sum);
  });
  EXPECT_EQ(values(grad({(twice + square).sum()}, {x})[0]), (Values{4, 6}));
  EXPECT_EQ(values(grad({twice.sum()}, {x})[0]), (Values{2, 2}));
  EXPECT_EQ(values(grad({square.sum()}, {x})[0]), (Values{2, 4}));
  EXPECT_EQ(values(grad({(square * twice).sum()}, {square})[0]), values(twice.detach()));
  const auto both = grad({(square * twice).sum()}, {square, twice, x});
  EXPECT_EQ(values(both[1]), values(square.detach()));
  EXPECT_EQ(values(both[2]), (Values{6, 24}));
  twice.register_hook([](const Tensor& g) { return g * 10; });
  autograd::backward({twice, square}, {full({2}, 1.0), full({2}, 1.0)});
  EXPECT_EQ(values(x.grad()), (Values{22, 24}));
}

// Row: Paddle D11, Paddle B4
TEST(CustomNode, ManyInputsAndOutputs) {
  std::vector<Tensor> inputs, outputs;
  for (int i = 0; i < 70; ++i) {
    inputs.push_back(leaf({static_cast<double>(i)}));
    outputs.push_back(inputs.back().detach() * 2);
  }
  record(inputs, outputs, [](autograd::BackwardCall& call) {
    for (size_t i = 0; i < 70; ++i) {
      if (call.wants(i) && call.grad(i).defined()) call.set(i, Tensor(call.grad(i)) * 2);
    }
  });
  Tensor sum = outputs[0];
  for (int i = 1; i < 70; ++i) sum = sum + outputs[static_cast<size_t>(i)] * i;
  sum.backward({}, true);
  for (int i = 1; i < 70; ++i)
    EXPECT_EQ(values(inputs[static_cast<size_t>(i)].grad()), (Values{2.0 * i}));
  EXPECT_EQ(values(grad({sum}, {inputs[69]})[0]), (Values{138}));
}

// Row: PyTorch D3
TEST(CustomNode, KnowsWhichGradientsACallWants) {
  const Tensor a = leaf({1}), b = leaf({2});
  const Tensor y = a.detach() + b.detach();
  std::vector<bool> wanted;
  record({a, b}, {y}, [&](autograd::BackwardCall& call) {
    wanted = {call.wants(0), call.wants(1)};
    for (size_t i : {0U, 1U}) call.set(i, call.grad(0));
  });
  grad({y}, {a}, {}, true);
  EXPECT_EQ(wanted, (std::vector<bool>{true, false}));
  autograd::backward({y}, {}, true, false, {b});
  EXPECT_EQ(wanted, (std::vector<bool>{false, true}));
  y.backward();
  EXPECT_EQ(wanted, (std::vector<bool>{true, true}));
}

// Row: PyTorch C7, Paddle B17
TEST(CustomNode, UndefinedGradientsFlow) {
  std::atomic<int> count = 0;
  const Tensor x = leaf({1}), w = leaf({4});
  const Tensor y = counted(x * w, count);
  const Tensor z = y.detach() * 1;
  record({y}, {z}, [](autograd::BackwardCall&) {});  // gives no gradient
  z.exp().backward();
  EXPECT_EQ(count, 1);
  EXPECT_FALSE(x.grad().defined());
}

// Row: PyTorch C5, Paddle D12
TEST(CustomNode, WrongGradientsAreNamed) {
  const Tensor x = leaf({1, 2});
  const auto with = [&](const Tensor& bad) {
    const Tensor y = x.detach() * 1;
    record({x}, {y}, [bad](autograd::BackwardCall& call) { call.set(0, bad); });
    return error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  };
  expect_parts(with(tensor({1.0F, 2.0F, 3.0F})),
               {"FunctionNode returned for its input 0", "[3]", "[2]"});
  expect_parts(with(empty({2}, device("meta"))), {"meta", "cpu"});
  // One that can be summed to the shape is.
  const Tensor y = x.detach() * 1;
  record({x}, {y}, [](autograd::BackwardCall& call) { call.set(0, full({3, 2}, 1.0)); });
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
}

// A node as a user writes it: with a line of its own, and something saved.
class CubeNode final : public autograd::Node {
 public:
  CubeNode(const Tensor& input, CallSite at) : Node(1, at.intern()) {
    connect(0, input);
    input_.save_input(input);
  }
  std::string name() const override { return "CubeNode"; }
  void apply(autograd::BackwardCall& call) override {
    const Tensor x = input_.look(*this, "input");
    input_.skip(call);  // given up unless the graph is kept
    if (!call.grad(0).defined() || !call.wants(0)) return;
    call.set(0, Tensor(call.grad(0)) * x * x * 3);
  }
  void visit_saved(autograd::SavedVisitor& visitor) override { visitor.see("input", input_); }

 private:
  autograd::SavedTensor input_;
};

Tensor cube(const Tensor& x, CallSite at = std::source_location::current()) {
  Tensor result;
  {
    const NoGradGuard no_grad;
    result = x * x * x;
  }
  if (!autograd::should_record(x)) return result;
  const auto node = IntrusivePtr<autograd::Node>::adopt(new CubeNode(x, at));
  node->set_output(0, result.get());
  return result;
}

// Row: PyTorch L1
TEST(CustomNode, SavesAndIsDifferentiatedAgain) {
  const Tensor x = leaf({2});
  const Tensor y = cube(x);
  EXPECT_EQ(y.grad_fn()->name(), "CubeNode");
  const Tensor first = grad({y}, {x}, {}, {}, true)[0];
  EXPECT_EQ(values(first), (Values{12}));
  EXPECT_EQ(values(grad({first}, {x})[0]), (Values{12}));
  y.backward();
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.backward(); }),
               {"second time", "CubeNode", "grad_function_test.cpp"});
  const Tensor written = leaf({2}) * 1;
  const Tensor z = cube(written);
  written.mul_(2);
  expect_parts(error_of(ErrorKind::kAutograd, [&] { z.backward(); }),
               {"CubeNode", "mul_", "grad_function_test.cpp"});
  const NoGradGuard no_grad;
  EXPECT_TRUE(cube(x).is_leaf());
}

// Row: PyTorch L1
TEST(CustomNode, ErrorsNameTheForwardLine) {
  class Failing final : public autograd::Node {
   public:
    explicit Failing(CallSite at) : Node(1, at.intern()) {}
    std::string name() const override { return "Failing"; }
    void apply(autograd::BackwardCall&) override {
      raise(ErrorKind::kInvalidArgument, "cannot do it");
    }
  };
  const Tensor x = leaf({2}), y = x.detach() * 1;
  const CallSite here = std::source_location::current();
  const auto node = IntrusivePtr<autograd::Node>::adopt(new Failing(here));
  node->connect(0, x);
  node->set_output(0, y.get());
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { y.backward(); }),
               {"cannot do it", "Failing", "grad_function_test.cpp"});
}

}  // namespace
}  // namespace eagre::test
