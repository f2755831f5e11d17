// The backward loop: takes nodes that have all their gradients, latest recorded first, until none
// is left.
#include <eagre/autograd/engine/serial_run.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/anomaly.h>
#include <eagre/autograd/engine/scheduler.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/export.h>
#include <eagre/base/interrupt.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

EAGRE_INLINE void SerialRun::deliver(const Edge& edge, TensorBase& gradient, Node& from,
                                     size_t index) {
  Node& next = *edge.node;
  Scratch& scratch = *plan_.find_scratch(next);
  if (gradient.defined()) receive(edge, scratch, gradient, &from, index);
  arrive(next, scratch.dependencies);
}

// Those that the bits of `wanted` do not reach.
EAGRE_NOINLINE void SerialRun::deliver_beyond_64(Node& node, NodeIo io) {
  Edge* edges = node.edges();
  for (size_t i = 64; i < node.edge_count(); ++i) {
    if (plan_.wants(edges[i])) deliver(edges[i], io.results[i], node, i);
  }
}

template <bool kIsWatched>
EAGRE_INLINE void SerialRun::run_with(Node& node, Scratch& scratch, NodeIo io) {
  uint64_t wanted = 0;
  if (!apply_node<kIsWatched>(node, scratch, io, wanted)) return;
  Edge* edges = node.edges();
  for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(rest));
    deliver(edges[i], io.results[i], node, i);
  }
  if (node.edge_count() > 64) [[unlikely]]
    deliver_beyond_64(node, io);
  if constexpr (kIsWatched) finish_in_sequence(node);
}

// Most nodes have one output and at most two inputs: their gradients fit on the stack.
template <bool kIsWatched>
void SerialRun::run_node(Node& node) {
  current_ = &node;
  Scratch& scratch = *plan_.find_scratch(node);
  if (node.slot_count() > 1 || node.edge_count() > Node::kInlineEdges) [[unlikely]] {
    return run_large_node<kIsWatched>(node, scratch);
  }
  TensorBase gradient = std::move(scratch.gradient);
  TensorBase results[Node::kInlineEdges];
  run_with<kIsWatched>(node, scratch, {&gradient, results});
}

template <bool kIsWatched>
EAGRE_NOINLINE void SerialRun::run_large_node(Node& node, Scratch& scratch) {
  std::vector<TensorBase> gradients(node.slot_count());
  std::vector<TensorBase> results(node.edge_count());
  for (uint32_t slot = 0; slot < gradients.size(); ++slot) {
    gradients[slot] = std::move(plan_.gradient(node, scratch, slot));
  }
  run_with<kIsWatched>(node, scratch, {gradients.data(), results.data()});
}

template <bool kIsWatched>
void SerialRun::run_ready_nodes() {
  constexpr int kNodesPerLook = 64;
  constexpr int64_t kWorkOfThem = int64_t{1} << 14;
  ReadyQueue& ready = ready_;
  while (!ready.empty()) {
    for (int i = 0; i < kNodesPerLook && !ready.empty(); ++i) run_node<kIsWatched>(ready.pop());
    poll_interrupt(kWorkOfThem);
  }
}

void SerialRun::run_watched_nodes() {
  do {
    run_ready_nodes<true>();
    free_stuck();
  } while (!ready_.empty());
}

void SerialRun::start_roots() {
  for (Plan::Root& root : plan_.roots()) {
    Node& node = *root.edge.node;
    current_ = &node;
    receive(root.edge, *plan_.find_scratch(node), root.gradient, nullptr, 0);
  }
  start(plan_.roots());
}

void SerialRun::run() {
  try {
    start_roots();
    const bool is_watched = watches_nodes() || has_sequence();
    is_watched ? run_watched_nodes() : run_ready_nodes<false>();
  } catch (const std::exception&) {
    rethrow_with_place(*current_);
  }
}

}  // namespace eagre::autograd
