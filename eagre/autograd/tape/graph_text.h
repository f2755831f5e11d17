// The graph of a tensor as text, for people and tools.
#pragma once

#include <string>

#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

// For Graphviz: a box per node with its outputs and the line that recorded it. Arrows go the way of
// gradients.
EAGRE_API std::string to_dot(const TensorBase& tensor);

// {"root": {"node", "slot"}, "nodes": [{"id", "name", "sequence", "site", "outputs": [{"dtype",
// "shape", "device"}], "next": [{"node", "slot"} or null]}]}; root is null without a graph.
EAGRE_API std::string to_json(const TensorBase& tensor);

}  // namespace eagre::autograd
