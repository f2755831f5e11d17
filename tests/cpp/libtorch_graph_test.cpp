// The graph and its hooks under libtorch's names.
#include "cpp/support.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace eagre;
using autograd::variable_list;

namespace {

TEST(LibtorchGraph, NodesAndEdges) {
  const Tensor x = ones({2}, requires_grad());
  const auto node = (x * 2 + x).grad_fn();
  const std::string name = node->name();
  EXPECT_EQ(name, "AddBackward0");
  EXPECT_EQ("the node " + node->name(), "the node AddBackward0");
  EXPECT_EQ(node->num_inputs(), 1U);
  EXPECT_EQ(node->num_outputs(), 2U);
  EXPECT_EQ(node->next_edges().size(), 2U);
  EXPECT_EQ(node->next_edge(0).function->name(), "MulBackward0");
  EXPECT_EQ(node->next_edge(1).function->name(), "AccumulateGrad");
  EXPECT_EQ(node->next_edge(1).input_nr, 0U);
  EXPECT_FALSE(node->next_edge(0).function->next_edge(1).is_valid());
  test::error_of(ErrorKind::kIndex, [&] { node->next_edge(2); });
}

struct Doubled : autograd::FunctionPreHook {
  variable_list operator()(const variable_list& gradients) override { return {gradients[0] * 2}; }
};
struct Negated : autograd::FunctionPostHook {
  variable_list operator()(const variable_list& outputs, const variable_list& inputs) override {
    EXPECT_EQ(inputs.size(), 1U);
    variable_list results;
    for (const Tensor& output : outputs) results.push_back(output.defined() ? -output : output);
    return results;
  }
};

TEST(LibtorchGraph, HooksAreObjects) {
  const Tensor x = ones({2}, requires_grad());
  const Tensor y = x * 3;
  y.grad_fn()->add_pre_hook(std::make_unique<Doubled>());
  const uint64_t after = y.grad_fn()->add_post_hook(std::make_unique<Negated>());
  const auto grad = [&] { return autograd::grad({y.sum()}, {x}, {}, true)[0][0].item<float>(); };
  EXPECT_EQ(grad(), -6);
  EXPECT_TRUE(y.grad_fn()->remove_hook(after));
  EXPECT_EQ(grad(), 6);
}

TEST(LibtorchGraph, CallbacksOfTheEngine) {
  const Tensor x = ones({2}, requires_grad());
  int calls = 0;
  x.register_hook([&](const Tensor&) {
    autograd::Engine::get_default_engine().queue_callback([&] { ++calls; });
  });
  (x * 2).sum().backward();
  EXPECT_EQ(calls, 1);
}

TEST(LibtorchGraph, SavedVariables) {
  Tensor x = ones({2}, requires_grad());
  autograd::SavedVariable saved(x * 2, false);
  EXPECT_EQ(saved.unpack().sum().item<float>(), 4);
  EXPECT_TRUE(saved.unpack().requires_grad());
  const Tensor y = x.exp();
  const autograd::SavedVariable output(y, true);
  EXPECT_TRUE(output.unpack(y.grad_fn()).grad_fn() == y.grad_fn());
  Tensor written = ones({2});
  const autograd::SavedVariable old(written, false);
  written.add_(1);
  test::error_of(ErrorKind::kAutograd, [&] { old.unpack(); });
  EXPECT_FALSE(autograd::SavedVariable().unpack().defined());
  saved.reset_data();
  test::error_of(ErrorKind::kAutograd, [&] { saved.unpack(); });
}

struct OnDisk : autograd::SavedVariableHooks {
  explicit OnDisk(int& calls) : calls(calls) {}
  void call_pack_hook(const Tensor& tensor) override {
    ++calls;
    kept = tensor.detach().clone();
  }
  Tensor call_unpack_hook() override { return kept + 1; }
  int& calls;
  Tensor kept;
};

TEST(LibtorchGraph, HooksOfSavedVariables) {
  int calls = 0;
  autograd::SavedVariable saved(ones({2}), false);
  saved.register_hooks(std::make_unique<OnDisk>(calls));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(saved.unpack().sum().item<float>(), 4);
}

TEST(LibtorchGraph, WatchingComesWithTheUmbrellaHeader) {
  const autograd::DetectAnomalyGuard guard;
  EXPECT_TRUE(autograd::AnomalyMode::is_enabled());
  EXPECT_EQ(autograd::set_node_observer(nullptr), nullptr);
  EXPECT_EQ(EAGRE_VERSION,
            EAGRE_VERSION_MAJOR * 10000 + EAGRE_VERSION_MINOR * 100 + EAGRE_VERSION_PATCH);
}

}  // namespace
