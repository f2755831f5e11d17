// One backward call: which nodes it runs, in which order, and the gradients on their way.
//
// Note [Claiming]
// The state of a node during a call (how many gradients are still to come, their sum so far) lives
// in the node itself, so that no table is needed. A call claims each node by compare-and-swap when
// it first sees it and releases all of them at its end, also after an error. A node that another
// call holds, in another thread or further up in this one (a hook may call backward()), is kept in
// this call's own table instead. Which of the two is decided once, at the first visit.
#pragma once

#include <unordered_map>
#include <vector>

#include <eagre/autograd/node.h>

namespace eagre::autograd {

class GraphTask {
 public:
  struct Options {
    bool keep_graph = false;
    bool create_graph = false;
  };
  explicit GraphTask(Options options);
  ~GraphTask();
  GraphTask(const GraphTask&) = delete;
  GraphTask& operator=(const GraphTask&) = delete;

  void add_root(Edge root, TensorBase gradient);
  // The gradient that arrives at this edge becomes results()[index]; then only nodes on a way to
  // some captured edge run, and leaves are left alone.
  void capture(const Edge& edge, size_t index);
  // The node of this edge runs; then only nodes on a way to such a node or to a captured edge do.
  void require(const Edge& edge) { captures_.push_back({edge.node, edge.slot, kNoResult}); }
  // No gradient flows along edges to this slot. Only for calls that capture.
  void block(const Edge& edge) { blocked_.push_back(edge); }

  void run();

  std::vector<TensorBase>& results() { return results_; }

  // --- for hooks ---
  // The call whose hooks run in this thread, or null.
  EAGRE_API static GraphTask* calling_hooks();
  EAGRE_API uint64_t hook_id();  // of this call, given out when first asked for
  // Does a gradient reach this node in this call?
  EAGRE_API bool reaches(Node& node);

 private:
  struct Root {
    Edge edge;
    TensorBase gradient;
  };
  static constexpr size_t kNoResult = SIZE_MAX;
  struct Capture {
    IntrusivePtr<Node> node;
    uint32_t slot;
    size_t result;
  };
  struct SideState {
    Node::Scratch scratch;
    std::vector<TensorBase> more_gradients;
  };
  struct Buffers;  // vectors that are reused from call to call

  // --- planning ---
  bool visit(Node& node);
  void count_all();
  void count_towards_captures();
  void mark_needed(uint32_t lowest);
  std::vector<Capture>::iterator first_capture(const Node& node);

  // --- running ---
  Node::Scratch* find_scratch(Node& node);
  Node::Scratch* find_side_scratch(Node& node);
  TensorBase& gradient(Node& node, Node::Scratch& scratch, uint32_t slot);
  bool wants(const Edge& edge);
  bool leads_to_capture(const Edge& edge);
  bool is_blocked(const Edge& edge) const;
  void receive(const Edge& edge, Node::Scratch& scratch, TensorBase& gradient, Node* from,
               size_t index);
  void deliver(const Edge& edge, TensorBase& gradient, Node& from, size_t index);
  void add_gradient(TensorBase& sum, TensorBase& gradient);
  void start_roots();
  void make_ready(Node& node);
  CallSite current_site() const {
    return current_ == nullptr ? CallSite::none() : CallSite::of_id(current_->site());
  }
  void run_ready_nodes();
  void run_node(Node& node);
  void run_large_node(Node& node, Node::Scratch& scratch);
  void run_with(Node& node, Node::Scratch& scratch, TensorBase* gradients, TensorBase* results);
  void run_hooks_before(Node& node, const Node::Scratch& scratch, Span<TensorBase> gradients);
  void run_hooks_after(Node& node, Span<TensorBase> results);
  void store_captures(Node& node, Span<TensorBase> gradients);

  Options options_;
  std::vector<Capture> captures_;  // sorted by node when the call runs
  std::vector<Edge> blocked_;
  std::vector<TensorBase> results_;
  Buffers* buffers_;
  std::unordered_map<Node*, SideState> side_;  // nodes that others hold
  Node* current_ = nullptr;
  uint64_t hook_id_ = 0;
  // For the hooks after the node that runs now.
  std::vector<TensorBase> kept_gradients_;
  bool accumulates_ = false;
};

}  // namespace eagre::autograd
