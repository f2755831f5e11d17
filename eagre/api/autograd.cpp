// backward() and grad() for lists of tensors.
#include <eagre/api/autograd.h>

namespace eagre::autograd {
namespace {
std::vector<TensorBase> handles(const TensorList& tensors) {
  return {tensors.begin(), tensors.end()};
}
}  // namespace

void backward(const TensorList& tensors, const TensorList& gradients, bool retain_graph,
              bool create_graph, CallSite at) {
  backward_impl(handles(tensors), handles(gradients), {retain_graph || create_graph, create_graph},
                at);
}

TensorList grad(const TensorList& outputs, const TensorList& inputs, const TensorList& gradients,
                bool retain_graph, bool create_graph, bool allow_unused, CallSite at) {
  const std::vector<TensorBase> results =
      grad_impl(handles(outputs), handles(inputs), handles(gradients),
                {retain_graph || create_graph, create_graph, allow_unused}, at);
  return {results.begin(), results.end()};
}

}  // namespace eagre::autograd
