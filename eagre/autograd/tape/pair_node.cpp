// The node of a call with two results.
#include <eagre/autograd/tape/pair_node.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/autograd/tape/saved_visitor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>

namespace eagre::autograd {
namespace {

class PairNode final : public Node {
 public:
  PairNode(const char* name, std::array<PairRule, 2> rules, uint32_t site)
      : Node(1, site, 2), name_(name), rules_(std::move(rules)) {}

  std::string name() const override { return name_; }

  void save(const TensorBase& input, const std::array<TensorBase, 2>& results) {
    input_.save_input(input);
    for (size_t i = 0; i < results.size(); ++i) {
      if (rules_[i].needs_result) results_[i].save_output(results[i]);
    }
  }

  void apply(BackwardCall& call) override {
    const CallSite at = CallSite::of_id(site());
    const TensorBase input = input_.read(*this, call, "self");
    TensorBase sum;
    for (size_t i = 0; i < rules_.size(); ++i) {
      const TensorBase result =
          rules_[i].needs_result ? results_[i].read(*this, call, kResultNames[i]) : TensorBase();
      if (!call.grad(i).defined()) continue;
      TensorBase part = rules_[i].gradient(call.grad(i), input, result, at);
      sum = sum.defined() ? ops::add(sum, part, 1, at) : std::move(part);
    }
    if (call.wants(0)) call.set(0, std::move(sum));
  }

  void visit_saved(SavedVisitor& visitor) override {
    visitor.see("self", input_);
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i].needs_result) visitor.see(kResultNames[i], results_[i]);
    }
  }

 private:
  static constexpr const char* kResultNames[] = {"result0", "result1"};

  const char* name_;
  std::array<PairRule, 2> rules_;
  SavedTensor input_;
  SavedTensor results_[2];
};

}  // namespace

void record_pair(const char* name, const TensorBase& input,
                 const std::array<TensorBase, 2>& results, std::array<PairRule, 2> rules,
                 CallSite at) {
  const auto node =
      IntrusivePtr<PairNode>::adopt(new PairNode(name, std::move(rules), at.intern()));
  node->connect(0, input);
  node->set_output(0, results[0].get());
  node->set_output(1, results[1].get());
  node->save(input, results);
}

}  // namespace eagre::autograd
