// backward() and grad() for lists of tensors.
#include <eagre/api/autograd.h>

#include <eagre/autograd/retain_grad.h>

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

}  // namespace eagre::autograd
