// backward() and grad() for lists of tensors.
#include <eagre/api/autograd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <eagre/api/tensor.h>
#include <eagre/autograd/engine/engine.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {
namespace {

std::vector<TensorBase> handles(const TensorList& tensors) {
  return {tensors.begin(), tensors.end()};
}

// Where the gradients of tensors flow. A few need no memory from the heap.
class Edges {
 public:
  explicit Edges(const TensorList& tensors) : count_(tensors.size()) {
    if (count_ > kFew) many_.resize(count_);
    Edge* edges = data();
    for (size_t i = 0; i < count_; ++i) edges[i] = gradient_edge(tensors[i]);
  }
  operator Span<Edge>() { return {data(), count_}; }        // NOLINT
  operator Span<const Edge>() { return {data(), count_}; }  // NOLINT

 private:
  static constexpr size_t kFew = 4;
  Edge* data() { return count_ > kFew ? many_.data() : few_; }

  size_t count_;
  Edge few_[kFew];
  std::vector<Edge> many_;
};

}  // namespace

void backward(const TensorList& tensors, const TensorList& grad_tensors,
              std::optional<bool> retain_graph, bool create_graph, const TensorList& inputs,
              CallSite at) {
  for (const Tensor& input : inputs) retain_grad(input);
  backward_impl(Edges(tensors), handles(grad_tensors), Edges(inputs),
                {retain_graph.value_or(create_graph), create_graph}, at);
}

TensorList grad(const TensorList& outputs, const TensorList& inputs, const TensorList& grad_outputs,
                std::optional<bool> retain_graph, bool create_graph, bool allow_unused,
                bool materialize_grads, const TensorList& no_grad_vars, CallSite at) {
  Edges blocked(no_grad_vars);
  const std::vector<TensorBase> results = grad_impl(
      Edges(outputs), Edges(inputs), handles(grad_outputs),
      {retain_graph.value_or(create_graph), create_graph, allow_unused, materialize_grads, blocked},
      at);
  return {results.begin(), results.end()};
}

std::vector<TensorBase> batched_grad_impl(Span<Edge> outputs, Span<const Edge> inputs,
                                          const std::vector<TensorBase>& grad_outputs,
                                          const GradOptions& options, CallSite at) {
  int64_t samples = 0;
  for (const TensorBase& gradient : grad_outputs) {
    if (gradient.defined()) samples = gradient.sizes()[0];
  }
  const LevelScope scope(Level::batch(samples, Randomness::kError));
  std::vector<TensorBase> each = grad_outputs;
  for (TensorBase& gradient : each) {
    if (gradient.defined()) gradient = batched(gradient, 0, scope.level());
  }
  std::vector<TensorBase> results = grad_impl(outputs, inputs, each, options, at);
  for (TensorBase& result : results) result = whole_batch(result, scope.level());
  return results;
}

TensorList batched_grad(const TensorList& outputs, const TensorList& inputs,
                        const TensorList& grad_outputs, std::optional<bool> retain_graph,
                        bool create_graph, bool allow_unused, bool materialize_grads, CallSite at) {
  std::optional<int64_t> samples;
  for (const Tensor& gradient : grad_outputs) {
    if (!gradient.defined()) continue;
    EAGRE_CHECK(gradient.dim() > 0 && samples.value_or(gradient.size(0)) == gradient.size(0),
                kInvalidArgument,
                "batched_grad(): grad_outputs: expected tensors whose dimension 0 counts the "
                "gradients of the batch, the same number in all, but got one of shape ",
                gradient.sizes());
    samples = gradient.size(0);
  }
  EAGRE_CHECK(samples.value_or(0) > 0, kInvalidArgument,
              "batched_grad(): grad_outputs has no gradients");
  const std::vector<TensorBase> results = batched_grad_impl(
      Edges(outputs), Edges(inputs), handles(grad_outputs),
      {retain_graph.value_or(create_graph), create_graph, allow_unused, materialize_grads, {}}, at);
  return {results.begin(), results.end()};
}

}  // namespace eagre::autograd
