// How nodes are connected with tensors, from inputs to edges and from a node to its outputs, and
// how they let go of each other.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/base/export.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::autograd {

void Node::set_edge(Edge& edge, TensorImpl& tensor) {
  refresh_history(tensor);
  Node* next = static_cast<Node*>(tensor.grad_node);
  if (next == nullptr) {
    next = &autograd_meta(tensor).accumulate;
    tensor.retain();  // what retaining its node means
  } else {
    next->retain();
  }
  new (&edge.node) IntrusivePtr(IntrusivePtr<Node>::adopt(next));  // there was none
  edge.slot = tensor.output_slot;
  topological_ = std::max(topological_, next->topological_ + 1);
}

void Node::adopt_edge(size_t input, const Edge& edge) {
  edges()[input] = edge;
  if (edge.node) topological_ = std::max(topological_, edge.node->topological_ + 1);
}

void Node::set_output(uint16_t slot, TensorImpl& output) {
  describe_output(slot, output);
  retain();
  GraphObject* old = std::exchange(output.grad_node, this);
  if (old != nullptr) old->release();
  output.output_slot = slot;
  retain_if_asked(output);
}

namespace {
// Of few nodes; inlined, they would cost the others registers.
EAGRE_NOINLINE void end_edges(const Edge* edges) { delete[] edges; }
EAGRE_NOINLINE void end_extras(const NodeExtras* extras) { delete extras; }
}  // namespace

// Here, where nodes of leaves are known: without them, the compiler would guess that an edge leads
// to none.
Node::~Node() {
  if (edge_count_ <= kInlineEdges) [[likely]] {
    static_assert(kInlineEdges == 2);  // without a loop, which every recorded call would pay for
    inline_edges_[0].~Edge();
    inline_edges_[1].~Edge();
  } else {
    end_edges(heap_edges_);
  }
  if (NodeExtras* more = extras()) [[unlikely]]
    end_extras(more);
}

Edge gradient_edge(const TensorBase& tensor) {
  TensorImpl& impl = tensor.get();
  refresh_history(impl);
  if (impl.grad_node != nullptr) {
    return {IntrusivePtr<Node>::share(static_cast<Node*>(impl.grad_node)), impl.output_slot};
  }
  if (!impl.requires_grad()) return {};
  return {IntrusivePtr<Node>::share(&autograd_meta(impl).accumulate), 0};
}

}  // namespace eagre::autograd
