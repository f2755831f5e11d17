// The steps of running a node that the run of one thread (graph_task.cpp) and the run with devices
// (device_run.cpp) share.
#pragma once

#include <eagre/autograd/graph_task.h>
#include <eagre/autograd/hooks.h>
#include <eagre/autograd/validate.h>
#include <eagre/autograd/watch.h>

namespace eagre::autograd {

EAGRE_INLINE Node::Scratch* GraphTask::find_scratch(Node& node) {
  if (node.link_.load(std::memory_order_relaxed) == this) [[likely]]
    return &node.scratch_;
  return find_side_scratch(node);
}

EAGRE_INLINE TensorBase& GraphTask::gradient(Node& node, Node::Scratch& scratch, uint32_t slot) {
  if (slot == 0) [[likely]]
    return scratch.gradient;
  return &scratch == &node.scratch_ ? node.extras()->more_gradients[slot - 1]
                                    : side_.find(&node)->second.more_gradients[slot - 1];
}

EAGRE_INLINE bool GraphTask::wants(const Edge& edge) {
  return edge.node && (captures_.empty() || leads_to_capture(edge));
}

// Checks a gradient and adds it to what its slot has so far. `from`: the node that made it as its
// result `index`, or null for one that the user gave.
EAGRE_INLINE void GraphTask::receive(const Edge& edge, Node::Scratch& scratch, TensorBase& gradient,
                                     Node* from, size_t index) {
  if (!fits(*edge.node, edge.slot, gradient.get())) [[unlikely]] {
    make_fit(edge, gradient, {from, index, current_site()});
  }
  TensorBase& sum = this->gradient(*edge.node, scratch, edge.slot);
  if (!sum.defined()) [[likely]] {
    sum = std::move(gradient);
  } else {
    add_gradient(sum, gradient);
  }
}

template <bool kIsWatched>
EAGRE_INLINE void GraphTask::apply_alone(Node& node, NodeIo io, uint64_t& wanted) {
  const size_t inputs = node.edge_count();
  Edge* edges = node.edges();
  uint64_t found = 0;
  for (size_t i = 0; i < inputs && i < 64; ++i) found |= uint64_t{wants(edges[i])} << i;
  wanted = found;
  BackwardCall call(io.gradients, io.results, found, options_.keep_graph);
  if constexpr (kIsWatched) {
    apply_watched(node, call, io);
  } else {
    node.apply(call);
  }
}

template <bool kIsWatched>
EAGRE_NOINLINE bool GraphTask::apply_with_hooks(Node& node, Node::Scratch& scratch, NodeIo io,
                                                uint64_t& wanted) {
  KeptForHooks kept;
  run_hooks_before(node, scratch, io, kept);
  if (!scratch.needed) return false;
  apply_alone<kIsWatched>(node, io, wanted);
  run_hooks_after(node, io, std::move(kept));
  return true;
}

template <bool kIsWatched>
EAGRE_INLINE bool GraphTask::apply_unguarded(Node& node, Node::Scratch& scratch, NodeIo io,
                                             uint64_t& wanted) {
  if (node.extras() != nullptr) [[unlikely]] {
    return apply_with_hooks<kIsWatched>(node, scratch, io, wanted);
  }
  if (scratch.captured) store_captures(node, {io.gradients, node.slot_count()});
  if (!scratch.needed) return false;
  apply_alone<kIsWatched>(node, io, wanted);
  if (node.extras() != nullptr) [[unlikely]]  // made while the node ran
    run_hooks_after(node, io, {});
  return true;
}

// Hooks, captures, and the node itself. False when it has nothing to hand on.
template <bool kIsWatched>
EAGRE_INLINE bool GraphTask::apply_node(Node& node, Node::Scratch& scratch, NodeIo io,
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
