// How nodes are made, connected and destroyed.
#include <eagre/autograd/node.h>

#include <algorithm>
#include <new>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/hooks.h>
#include <eagre/autograd/view_history.h>

namespace eagre::autograd {

static_assert(sizeof(Node) == 120, "a recorded pointwise call must stay below 400 bytes");

void Node::make_large() {
  if (slot_count_ > 1) {
    NodeExtras& more = make_extras();
    for (size_t i = 1; i < slot_count_; ++i) more.more_meta.push_back(std::make_unique<SlotMeta>());
    more.more_gradients.resize(slot_count_ - 1);
  }
  if (edge_count_ > kInlineEdges) heap_edges_ = new Edge[edge_count_];
}

Node::Node(LeafTag) : sequence_(UINT64_MAX), edge_count_(0), slot_count_(1) {
  refs_.store(kEmbedded, std::memory_order_relaxed);
  for (Edge& edge : inline_edges_) new (&edge) Edge;
}

namespace {
EAGRE_NOINLINE void end_extras(const NodeExtras* extras) { delete extras; }
}  // namespace

Node::~Node() {
  if (edge_count_ <= kInlineEdges) [[likely]] {
    static_assert(kInlineEdges == 2);  // without a loop, which every recorded call would pay for
    inline_edges_[0].~Edge();
    inline_edges_[1].~Edge();
  } else {
    delete[] heap_edges_;
  }
  if (NodeExtras* more = extras()) [[unlikely]]
    end_extras(more);
}

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

SlotMeta& Node::more_meta(size_t slot) const { return *extras()->more_meta[slot - 1]; }

NodeExtras& Node::make_extras() {
  if (NodeExtras* more = extras()) return *more;
  auto fresh = std::make_unique<NodeExtras>();
  NodeExtras* current = nullptr;
  if (extras_.compare_exchange_strong(current, fresh.get(), std::memory_order_acq_rel)) {
    return *fresh.release();
  }
  return *current;  // another thread was faster
}

uint64_t Node::add_hook(uint16_t slot, std::unique_ptr<TensorHook> hook) {
  return autograd::add_hook(*this, HookKind::kTensor, std::move(hook), slot);
}

bool Node::remove_hook(uint64_t id) {
  HookTable* hooks = hooks_of(*this);
  return hooks != nullptr && hooks->remove(id);
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
