// What one backward call will run: the nodes it has claimed, how many gradients each of them waits
// for, and whose gradients are results of the call.
//
// Note [Claiming]
// The state of a node during a call (how many gradients are still to come, their sum so far) lives
// in the node itself, so that no table is needed. A call claims each node by compare-and-swap when
// it first sees it and releases all of them at its end, also after an error. A node that another
// call holds, in another thread or further up in this one (a hook may call backward()), is kept in
// this call's own table instead. Which of the two is decided once, at the first visit.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/scheduler.h>
#include <eagre/autograd/engine/sequential.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>

namespace eagre::autograd {

class Plan {
 public:
  using Scratch = Node::Scratch;
  struct Root {
    Edge edge;
    TensorBase gradient;
  };

  Plan();
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // --- before ---
  void add_root(Edge root, TensorBase gradient);
  // The gradient that arrives at this edge becomes `result`; then only nodes on a way to some
  // captured edge run, and leaves are left alone. The caller keeps the edge, also of the next.
  void capture(const Edge& edge, TensorBase& result) { add_capture(edge, &result); }
  // The node of this edge runs; then only nodes on a way to such a node or to a captured edge do.
  void require(const Edge& edge) { add_capture(edge, nullptr); }
  // No gradient flows along edges to this slot. Only for calls that capture.
  void block(const Edge& edge) { blocked_.push_back(edge); }

  // Claims the nodes and counts their gradients.
  void make();

  // --- then ---
  std::vector<Root>& roots();
  ReadyQueue& ready();  // its memory is used again by the next call
  NodeSequence take_sequence() { return std::move(sequence_); }
  // Do only the ways to some edges run?
  bool is_partial() const { return is_partial_; }
  std::vector<Node*> nodes() const;    // in no order
  std::vector<Node*> running_nodes();  // without those that are only captured
  Scratch* find_scratch(Node& node);   // null for a node that has no part in the call
  TensorBase& gradient(Node& node, Scratch& scratch, uint32_t slot);
  // Does this call need the gradient that flows along the edge? The second is for partial calls.
  bool wants(const Edge& edge) { return edge.node && (!is_partial_ || leads_to_capture(edge)); }
  bool leads_to_capture(const Edge& edge);
  // Does a gradient reach this node in this call?
  bool reaches(Node& node);
  void store_captures(Node& node, Span<TensorBase> gradients);

 private:
  struct Capture {
    Node* node;
    uint32_t slot;
    TensorBase* result;  // null: the node is to run
  };
  struct SideState {
    Scratch scratch;
    std::vector<TensorBase> more_gradients;
  };
  struct Buffers;  // vectors that are reused from call to call

  void add_capture(const Edge& edge, TensorBase* result);
  Scratch* visit(Node& node);
  void count_all();
  void count_towards_captures();
  void enter(Node& node);
  Span<const Capture> captures_of(const Node& node) const;
  bool is_blocked(const Edge& edge) const { return !blocked_.empty() && is_among_blocked(edge); }
  bool is_among_blocked(const Edge& edge) const;
  Scratch* find_side_scratch(Node& node);

  bool is_partial_ = false;        // are there captures? For wants(), which is asked of every edge
  std::vector<Capture> captures_;  // sorted by node once the plan is made
  std::vector<Edge> blocked_;
  Buffers* buffers_;
  std::unordered_map<Node*, SideState> side_;  // nodes that others hold
  NodeSequence sequence_;
};

EAGRE_INLINE Plan::Scratch* Plan::find_scratch(Node& node) {
  if (node.link_.load(std::memory_order_relaxed) == this) [[likely]]
    return &node.scratch_;
  return find_side_scratch(node);
}

EAGRE_INLINE TensorBase& Plan::gradient(Node& node, Scratch& scratch, uint32_t slot) {
  if (slot == 0) [[likely]]
    return scratch.gradient;
  return &scratch == &node.scratch_ ? node.extras()->more_gradients[slot - 1]
                                    : side_.find(&node)->second.more_gradients[slot - 1];
}

}  // namespace eagre::autograd
