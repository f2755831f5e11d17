// The Python objects that a tensor or a node holds by way of C++: hooks, what users keep with
// nodes, tensors that are kept for a graph.
#pragma once

#include <eagre/autograd/node.h>
#include <eagre/core/tensor_impl.h>

#include "object.h"

namespace eagre::python {

// The collector looks at every object twice. First it takes away the references that it is shown,
// so these must be all there are; then it follows what is still held, and may be shown more.
enum class GraphLook : uint8_t { kOwnedOnly, kAll };

// For tp_traverse of the wrapper of `tensor`, and of an object that alone holds `node`. `shows`:
// whether the first look had anything to show, which it leaves for the second.
int traverse_graph(TensorImpl& tensor, GraphLook look, bool& shows, visitproc visit, void* arg);
int traverse_graph(autograd::Node& node, GraphLook look, bool& shows, visitproc visit, void* arg);

// Hooks and what users keep with the node that the gradient of this tensor flows to.
int traverse_node_of(const TensorImpl& tensor, visitproc visit, void* arg);
// For tp_clear: lets go of them, and of .grad.
void clear_held_by(TensorImpl& tensor);

}  // namespace eagre::python
