// One backward call: which nodes it runs, in which order, and the gradients on their way.
//
// Note [Claiming]
// The state of a node during a call (how many gradients are still to come, their sum so far) lives
// in the node itself, so that no table is needed. A call claims each node by compare-and-swap when
// it first sees it and releases all of them at its end, also after an error. A node that another
// call holds, in another thread or further up in this one (a hook may call backward()), is kept in
// this call's own table instead. Which of the two is decided once, at the first visit.
#pragma once

#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <eagre/autograd/node.h>
#include <eagre/autograd/sequential.h>
#include <eagre/base/error.h>

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

  // --- for code that runs inside of it; any thread ---
  // The innermost call that this thread works for, or null.
  static GraphTask* current();
  static Node* current_node();
  const Options& options() const { return options_; }
  int64_t id();  // given out at the first question
  // Do only the ways to some edges run?
  bool is_partial() const { return !captures_.empty(); }
  // Does a gradient reach this node in this call?
  bool reaches(Node& node);
  // To be called at the end by the thread that called backward().
  void queue_callback(std::function<void()> callback);
  // The same for the next call of this thread.
  static void add_callback_of_next(std::function<void()> callback);
  // The nodes in the order in which they run. An error when several threads run them.
  std::vector<Node*> execution_order();

  // While in scope, this thread works for the task. `node` is where the node that runs is kept.
  class Scope {
   public:
    Scope(GraphTask& task, Node* const* node);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class GraphTask;
    GraphTask& task_;
    Node* const* node_;
    Scope* outer_;
  };

 private:
  friend class DeviceRun;

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
  // The gradients of a node's slots, and room for its results.
  struct NodeIo {
    TensorBase* gradients;
    TensorBase* results;
  };
  // For the hooks after the node.
  struct KeptForHooks {
    std::vector<TensorBase> gradients;
    bool accumulates = false;
  };

  // --- planning ---
  bool visit(Node& node);
  void count_all();
  void count_towards_captures();
  void mark_needed(uint32_t lowest);
  std::vector<Capture>::iterator first_capture(const Node& node);
  std::vector<Node*> nodes() const;
  std::vector<Root>& roots();
  static Device device_of(const Node& node);
  bool has_accelerator_nodes() const;
  void plan_sequence();

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
  void deliver_beyond_64(Node& node, NodeIo io);
  void add_gradient(TensorBase& sum, TensorBase& gradient);
  void start_roots();
  void make_ready(Node& node);
  void make_ready_in_sequence(Node* node);
  Node* first_stuck();
  CallSite current_site() const {
    return current_ == nullptr ? CallSite::none() : CallSite::of_id(current_->site());
  }
  // Twice each: watched (see watch.h), and without looking whether anyone does.
  template <bool kIsWatched>
  void run_ready_nodes();
  template <bool kIsWatched>
  void run_node(Node& node);
  template <bool kIsWatched>
  void run_large_node(Node& node, Node::Scratch& scratch);
  template <bool kIsWatched>
  void run_with(Node& node, Node::Scratch& scratch, NodeIo io);
  template <bool kIsWatched>
  bool apply_node(Node& node, Node::Scratch& scratch, NodeIo io, uint64_t& wanted);
  template <bool kIsWatched>
  bool apply_unguarded(Node& node, Node::Scratch& scratch, NodeIo io, uint64_t& wanted);
  template <bool kIsWatched>
  void apply_alone(Node& node, NodeIo io, uint64_t& wanted);
  template <bool kIsWatched>
  bool apply_with_hooks(Node& node, Node::Scratch& scratch, NodeIo io, uint64_t& wanted);
  void run_hooks_before(Node& node, const Node::Scratch& scratch, NodeIo io, KeptForHooks& kept);
  void run_hooks_after(Node& node, NodeIo io, KeptForHooks kept);
  static void note_failure(const Node& node) noexcept;
  EAGRE_COLD void apply_watched(Node& node, BackwardCall& call, NodeIo io);
  void run_watched_nodes();
  void run_callbacks();
  static void add_place(Error& error, const Node& node);
  void store_captures(Node& node, Span<TensorBase> gradients);

  Options options_;
  std::vector<Capture> captures_;  // sorted by node when the call runs
  std::vector<Edge> blocked_;
  std::vector<TensorBase> results_;
  Buffers* buffers_;
  std::unordered_map<Node*, SideState> side_;  // nodes that others hold
  Node* current_ = nullptr;
  NodeSequence sequence_;
  bool runs_in_lanes_ = false;  // see device_run.h
  std::atomic<int64_t> id_{-1};
  std::mutex callbacks_lock_;
  std::vector<std::function<void()>> callbacks_;
};

}  // namespace eagre::autograd
