// The node of custom operators: a custom function whose backward is the registered gradient.
#include <eagre/api/op_node.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/op_record.h>
#include <eagre/api/op_value.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/function/custom_function.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/tensor_list.h>

namespace eagre {

class OpNode final : public autograd::CustomNode {
 public:
  // Keeps the call without its tensors: those that are needed are saved.
  OpNode(const OpCall& call, const std::vector<Tensor>& inputs, size_t outputs)
      : CustomNode({autograd::count(inputs.size()), autograd::count(outputs),
                    std::vector<bool>(inputs.size(), true)},
                   call.site().intern()),
        call_(call.with_tensors(std::vector<Tensor>(inputs.size()))) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool is_given = inputs[i].defined();
      metadata_.push_back(is_given ? metadata_of(inputs[i]) : TensorMetadata());
      needs_.push_back(is_given && inputs[i].requires_grad());
      if (is_given) connect(i, inputs[i]);
    }
  }

  std::string name() const override { return call_.op().node_name; }

 protected:
  TensorVector run_backward(TensorVector gradients) override {
    const OpRecord& op = call_.op();
    EAGRE_CHECK(op.grad, kAutograd, op.name,
                "() has no gradient. Hint: register it with grad(), or with no_grad() if its "
                "results are constants");
    std::vector<Tensor> inputs(metadata_.size()), results(op.signature.results.size());
    std::vector<bool> needs(needs_.size());
    const TensorVector saved = saved_tensors();
    size_t next = 0;
    for (const size_t argument : op.saved_arguments) {
      const auto [first, count] = call_.tensor_range(argument);
      for (size_t i = first; i < first + count; ++i) inputs[i] = saved[next++];
    }
    for (const size_t result : op.saved_results) results[result] = saved[next++];
    for (size_t i = 0; i < needs.size(); ++i) needs[i] = needs_[i] && wants_input(i);
    const GradCall call(call_.with_tensors(inputs), std::move(results),
                        {gradients.begin(), gradients.end()}, std::move(needs), metadata_);
    const OpResults made = op.grad(call);
    return {made.begin(), made.end()};
  }

 private:
  OpCall call_;
  std::vector<TensorMetadata> metadata_;  // of the inputs
  std::vector<bool> needs_;
};

OpResults record_call(const OpCall& call, const std::vector<Tensor>& inputs,
                      std::vector<Tensor> outputs, bool records) {
  const OpRecord& op = call.op();
  IntrusivePtr<autograd::CustomNode> node;
  autograd::CustomMarks marks;
  if (records) {
    node = IntrusivePtr<autograd::CustomNode>::adopt(new OpNode(call, inputs, outputs.size()));
    for (const size_t argument : op.saved_arguments) {
      const auto [first, count] = call.tensor_range(argument);
      const auto begin = inputs.begin() + static_cast<ptrdiff_t>(first);
      marks.to_save.insert(marks.to_save.end(), begin, begin + static_cast<ptrdiff_t>(count));
    }
    for (const size_t result : op.saved_results) marks.to_save.push_back(outputs[result]);
  }
  TensorVector finished(outputs.begin(), outputs.end());
  outputs.clear();
  const TensorVector given(inputs.begin(), inputs.end());
  finish_custom(node, op.name.c_str(), given, finished, marks, call.site());
  return std::vector<Tensor>(finished.begin(), finished.end());
}

}  // namespace eagre
