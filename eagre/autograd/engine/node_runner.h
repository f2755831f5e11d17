// Running one node: its gradients are summed, hooks are called around it, what is captured is kept.
// The run in one thread and the run with devices are made of these steps.
#pragma once

#include <vector>

#include <eagre/autograd/engine/anomaly.h>
#include <eagre/autograd/engine/plan.h>
#include <eagre/autograd/engine/validate.h>
#include <eagre/base/error.h>

namespace eagre::autograd {

struct BackwardOptions {
  bool keep_graph = false;
  bool create_graph = false;
};

class NodeRunner {
 public:
  // Where the node that runs is kept.
  Node* const* current() const { return &current_; }
  // Inside of a catch block: throws what was caught, with a line more: "  in the backward of ...,
  // recorded at ...".
  [[noreturn]] static void rethrow_with_place(const Node& node);

 protected:
  using Scratch = Plan::Scratch;
  // The gradients of a node's slots, and room for its results.
  struct NodeIo {
    TensorBase* gradients;
    TensorBase* results;
  };

  NodeRunner(Plan& plan, BackwardOptions options) : plan_(plan), options_(options) {}

  // What Scheduler asks.
  int32_t& waiting(Node& node) { return plan_.find_scratch(node)->dependencies; }
  bool takes_part(Node& node) { return plan_.reaches(node); }

  // Checks a gradient and adds it to what its slot has so far. `from`: the node that made it as its
  // result `index`, or null for one that the user gave.
  void receive(const Edge& edge, Scratch& scratch, TensorBase& gradient, Node* from, size_t index);
  // Hooks, captures, and the node itself. False when it has nothing to hand on. Twice: watched (see
  // anomaly.h), and without looking whether anyone does.
  template <bool kIsWatched>
  bool apply_node(Node& node, Scratch& scratch, NodeIo io, uint64_t& wanted);

  Plan& plan_;
  const BackwardOptions options_;
  Node* current_ = nullptr;

 private:
  // For the hooks after the node.
  struct KeptForHooks {
    std::vector<TensorBase> gradients;
    bool accumulates = false;
  };

  void add_gradient(TensorBase& sum, TensorBase& gradient);
  CallSite current_site() const {
    return current_ == nullptr ? CallSite::none() : CallSite::of_id(current_->site());
  }
  template <bool kIsWatched>
  bool apply_unguarded(Node& node, Scratch& scratch, NodeIo io, uint64_t& wanted);
  template <bool kIsWatched>
  void apply_alone(Node& node, NodeIo io, uint64_t& wanted);
  template <bool kIsWatched>
  bool apply_with_hooks(Node& node, Scratch& scratch, NodeIo io, uint64_t& wanted);
  void run_hooks_before(Node& node, const Scratch& scratch, NodeIo io, KeptForHooks& kept);
  void run_hooks_after(Node& node, NodeIo io, KeptForHooks kept);
};

EAGRE_INLINE void NodeRunner::receive(const Edge& edge, Scratch& scratch, TensorBase& gradient,
                                      Node* from, size_t index) {
  if (!fits(*edge.node, edge.slot, gradient.get())) [[unlikely]] {
    make_fit(edge, gradient, {from, index, current_site()});
  }
  TensorBase& sum = plan_.gradient(*edge.node, scratch, edge.slot);
  if (!sum.defined()) [[likely]] {
    sum = std::move(gradient);
  } else {
    add_gradient(sum, gradient);
  }
}

template <bool kIsWatched>
EAGRE_INLINE void NodeRunner::apply_alone(Node& node, NodeIo io, uint64_t& wanted) {
  const size_t inputs = node.edge_count();
  Edge* edges = node.edges();
  uint64_t found = 0;
  for (size_t i = 0; i < inputs && i < 64; ++i) found |= uint64_t{plan_.wants(edges[i])} << i;
  wanted = found;
  BackwardCall call(io.gradients, io.results, found, options_.keep_graph);
  if constexpr (kIsWatched) {
    apply_watched(node, call, {io.gradients, node.slot_count()}, {io.results, node.edge_count()});
  } else {
    node.apply(call);
  }
}

template <bool kIsWatched>
EAGRE_NOINLINE bool NodeRunner::apply_with_hooks(Node& node, Scratch& scratch, NodeIo io,
                                                 uint64_t& wanted) {
  KeptForHooks kept;
  run_hooks_before(node, scratch, io, kept);
  if (!scratch.needed) return false;
  apply_alone<kIsWatched>(node, io, wanted);
  run_hooks_after(node, io, std::move(kept));
  return true;
}

template <bool kIsWatched>
EAGRE_INLINE bool NodeRunner::apply_unguarded(Node& node, Scratch& scratch, NodeIo io,
                                              uint64_t& wanted) {
  if (node.extras() != nullptr) [[unlikely]] {
    return apply_with_hooks<kIsWatched>(node, scratch, io, wanted);
  }
  if (plan_.is_partial()) {  // else every node runs, and none is captured
    if (scratch.captured) plan_.store_captures(node, {io.gradients, node.slot_count()});
    if (!scratch.needed) return false;
  }
  apply_alone<kIsWatched>(node, io, wanted);
  if (node.extras() != nullptr) [[unlikely]]  // made while the node ran
    run_hooks_after(node, io, {});
  return true;
}

template <bool kIsWatched>
EAGRE_INLINE bool NodeRunner::apply_node(Node& node, Scratch& scratch, NodeIo io,
                                         uint64_t& wanted) {
  if constexpr (!kIsWatched) {
    return apply_unguarded<false>(node, scratch, io, wanted);
  } else {
    try {
      return apply_unguarded<true>(node, scratch, io, wanted);
    } catch (...) {
      note_failure(node);
      throw;
    }
  }
}

}  // namespace eagre::autograd
