// Arguments of backward() and grad(): tensors and gradient edges.
#pragma once

#include <vector>

#include <eagre/autograd/engine/engine.h>

#include "call/arguments.h"

namespace eagre::python {

struct EdgeArguments {
  std::vector<autograd::Edge> edges;
  std::vector<TensorBase> tensors;  // undefined where an edge was given
};

// A tensor, a GradientEdge, or several of them in a sequence, a set or the values of a dict.
EdgeArguments edge_arguments(const Arguments& a, size_t i);
// The same as inputs of backward(): not empty, and every tensor gets a .grad.
std::vector<autograd::Edge> backward_inputs(const Arguments& a, size_t i);
// A tensor, or several, among which None is an undefined one.
std::vector<TensorBase> gradient_arguments(const Arguments& a, size_t i);

// retain_graph and create_graph, from argument `first` on.
autograd::GradOptions graph_options(const Arguments& a, size_t first);

}  // namespace eagre::python
