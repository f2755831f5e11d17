// backward() and grad() for lists of tensors.
#include <eagre/api/autograd.h>

#include <cstddef>
#include <cstdint>
#include <new>
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
#include <eagre/base/span.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {
namespace {

// Where the gradients of tensors flow. A few need no memory from the heap.
class Edges {
 public:
  explicit Edges(TensorList tensors) : Edges() {  // complete, so that it ends if an edge throws
    if (tensors.size() > kFew) many_.reserve(tensors.size());
    for (const TensorBase& tensor : tensors) {
      if (tensors.size() > kFew) {
        many_.push_back(gradient_edge(tensor));
      } else {
        new (&few_[few_count_]) Edge(gradient_edge(tensor));
        ++few_count_;
      }
    }
  }
  Edges(const Edges&) = delete;
  Edges& operator=(const Edges&) = delete;
  ~Edges() {
    for (size_t i = 0; i < few_count_; ++i) few_[i].~Edge();
  }

  operator Span<Edge>() {  // NOLINT: this is what it stands for
    return many_.empty() ? Span<Edge>(few_, few_count_) : Span<Edge>(many_.data(), many_.size());
  }
  operator Span<const Edge>() {  // NOLINT
    const Span<Edge> edges = *this;
    return {edges.data(), edges.size()};
  }

 private:
  static constexpr size_t kFew = 4;

  Edges() {}  // NOLINT: the few begin one by one

  size_t few_count_ = 0;
  union {
    Edge few_[kFew];
  };
  std::vector<Edge> many_;
};

// Tensor adds nothing to the handle that the engine knows.
Span<TensorBase> room_in(variable_list& results) {
  static_assert(sizeof(Tensor) == sizeof(TensorBase));
  return {results.data(), results.size()};
}

}  // namespace

void backward(TensorList tensors, TensorList grad_tensors, std::optional<bool> retain_graph,
              bool create_graph, TensorList inputs, CallSite at) {
  for (const TensorBase& input : inputs) retain_grad(input);
  backward_impl(Edges(tensors), grad_tensors, Edges(inputs),
                {retain_graph.value_or(create_graph), create_graph}, at);
}

variable_list grad(TensorList outputs, TensorList inputs, TensorList grad_outputs,
                   std::optional<bool> retain_graph, bool create_graph, bool allow_unused,
                   bool materialize_grads, TensorList no_grad_vars, CallSite at) {
  Edges blocked(no_grad_vars);
  variable_list results(inputs.size());
  grad_impl(
      Edges(outputs), Edges(inputs), grad_outputs,
      {retain_graph.value_or(create_graph), create_graph, allow_unused, materialize_grads, blocked},
      room_in(results), at);
  return results;
}

void batched_grad_impl(Span<Edge> outputs, Span<const Edge> inputs,
                       Span<const TensorBase> grad_outputs, const GradOptions& options,
                       Span<TensorBase> results, CallSite at) {
  int64_t samples = 0;
  for (const TensorBase& gradient : grad_outputs) {
    if (gradient.defined()) samples = gradient.sizes()[0];
  }
  const LevelScope scope(Level::batch(samples, Randomness::kError));
  std::vector<TensorBase> each(grad_outputs.begin(), grad_outputs.end());
  for (TensorBase& gradient : each) {
    if (gradient.defined()) gradient = batched(gradient, 0, scope.level());
  }
  grad_impl(outputs, inputs, each, options, results, at);
  for (TensorBase& result : results) result = whole_batch(result, scope.level());
}

variable_list batched_grad(TensorList outputs, TensorList inputs, TensorList grad_outputs,
                           std::optional<bool> retain_graph, bool create_graph, bool allow_unused,
                           bool materialize_grads, CallSite at) {
  std::optional<int64_t> samples;
  for (const TensorBase& gradient : grad_outputs) {
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
  variable_list results(inputs.size());
  batched_grad_impl(
      Edges(outputs), Edges(inputs), grad_outputs,
      {retain_graph.value_or(create_graph), create_graph, allow_unused, materialize_grads, {}},
      room_in(results), at);
  return results;
}

}  // namespace eagre::autograd
