// backward() and grad() for lists of tensors.
#include <eagre/api/autograd.h>

#include <eagre/autograd/retain_grad.h>

namespace eagre::autograd {
namespace {

std::vector<TensorBase> handles(const TensorList& tensors) {
  return {tensors.begin(), tensors.end()};
}

std::vector<Edge> edges(const TensorList& tensors) {
  std::vector<Edge> result;
  result.reserve(tensors.size());
  for (const Tensor& tensor : tensors) result.push_back(gradient_edge(tensor));
  return result;
}

}  // namespace

void backward(const TensorList& tensors, const TensorList& grad_tensors,
              std::optional<bool> retain_graph, bool create_graph, const TensorList& inputs,
              CallSite at) {
  for (const Tensor& input : inputs) retain_grad(input);
  backward_impl(edges(tensors), handles(grad_tensors), edges(inputs),
                {retain_graph.value_or(false) || create_graph, create_graph}, at);
}

TensorList grad(const TensorList& outputs, const TensorList& inputs, const TensorList& grad_outputs,
                std::optional<bool> retain_graph, bool create_graph, bool allow_unused,
                bool materialize_grads, const TensorList& no_grad_vars, CallSite at) {
  const std::vector<Edge> blocked = edges(no_grad_vars);
  const std::vector<TensorBase> results =
      grad_impl(edges(outputs), edges(inputs), handles(grad_outputs),
                {retain_graph.value_or(false) || create_graph, create_graph, allow_unused,
                 materialize_grads, blocked},
                at);
  return {results.begin(), results.end()};
}

}  // namespace eagre::autograd
