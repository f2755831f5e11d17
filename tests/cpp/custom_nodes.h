// Nodes written by hand: to count what runs, and to have several inputs and outputs.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include <eagre/autograd/tape/node.h>

#include "cpp/support.h"  // IWYU pragma: export

namespace eagre::test {

// Hands its gradient on and counts.
class CountingNode final : public autograd::Node {
 public:
  explicit CountingNode(std::atomic<int>& count) : Node(1, 0), count_(count) {}
  std::string name() const override { return "CountingNode"; }
  void apply(autograd::BackwardCall& call) override {
    ++count_;
    call.set(0, call.grad(0));
  }

 private:
  std::atomic<int>& count_;
};

// The same values behind a node that counts how often it runs.
inline Tensor counted(const Tensor& x, std::atomic<int>& count) {
  const Tensor result = x.detach().clone();
  const auto node = IntrusivePtr<autograd::Node>::adopt(new CountingNode(count));
  node->connect(0, x);
  node->set_output(0, result.get());
  return result;
}

// A node whose backward is a function of the call.
class FunctionNode final : public autograd::Node {
 public:
  using Backward = std::function<void(autograd::BackwardCall&)>;
  FunctionNode(uint16_t inputs, uint16_t slots, Backward backward)
      : Node(inputs, 0, slots), backward_(std::move(backward)) {}
  std::string name() const override { return "FunctionNode"; }
  void apply(autograd::BackwardCall& call) override { backward_(call); }

 private:
  Backward backward_;
};

inline void record(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                   FunctionNode::Backward backward) {
  const auto node = IntrusivePtr<autograd::Node>::adopt(
      new FunctionNode(static_cast<uint16_t>(inputs.size()), static_cast<uint16_t>(outputs.size()),
                       std::move(backward)));
  for (size_t i = 0; i < inputs.size(); ++i) node->connect(i, inputs[i]);
  for (size_t i = 0; i < outputs.size(); ++i)
    node->set_output(static_cast<uint16_t>(i), outputs[i].get());
}

}  // namespace eagre::test
