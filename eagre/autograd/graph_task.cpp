// The backward loop. Planning counts how many gradients each node will receive; running takes nodes
// that have all of theirs, latest recorded first, until none is left.
#include <eagre/autograd/graph_task.h>

#include <algorithm>
#include <bit>
#include <memory>

#include <eagre/autograd/device_lanes.h>
#include <eagre/autograd/device_run.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/graph_task_steps.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/transforms/level.h>
#include <eagre/base/interrupt.h>
#include <eagre/dispatch/ops/add.h>
#include <eagre/dispatch/plugin_device.h>

namespace eagre::autograd {

struct GraphTask::Buffers {
  struct Frame {
    Node* node;
    size_t next_edge;
  };
  std::vector<Root> roots;
  std::vector<Node*> claimed;
  std::vector<Frame> stack;
  std::vector<Node*> ready;  // a heap
  std::vector<Capture> captures;
  Buffers* next_free = nullptr;

  // One set per depth of nesting in this thread.
  struct FreeList {
    Buffers* first = nullptr;
    ~FreeList() {
      while (first != nullptr) delete std::exchange(first, first->next_free);
    }
  };
  static FreeList& free_list() {
    thread_local FreeList list;
    return list;
  }
  static Buffers* take() {
    FreeList& list = free_list();
    if (list.first == nullptr) return new Buffers;
    return std::exchange(list.first, list.first->next_free);
  }
  static void give_back(Buffers* buffers) {
    constexpr size_t kKeep = 1 << 16;
    if (buffers->claimed.capacity() > kKeep) {
      delete buffers;
      return;
    }
    buffers->roots.clear();  // last hold on the graph: may destroy it
    buffers->claimed.clear();
    buffers->stack.clear();
    buffers->ready.clear();
    FreeList& list = free_list();
    buffers->next_free = std::exchange(list.first, buffers);
  }
};

namespace {

bool runs_later(const Node* a, const Node* b) { return a->sequence() < b->sequence(); }

// Callbacks that wait for this thread's next call; the flag spares it to look.
constinit thread_local bool has_callbacks_of_next __attribute__((tls_model("initial-exec"))) =
    false;
std::vector<std::function<void()>>& callbacks_of_next() {
  thread_local std::vector<std::function<void()>> list;
  return list;
}

}  // namespace

void GraphTask::add_callback_of_next(std::function<void()> callback) {
  callbacks_of_next().push_back(std::move(callback));
  has_callbacks_of_next = true;
}

GraphTask::GraphTask(Options options) : options_(options), buffers_(Buffers::take()) {
  if (std::exchange(has_callbacks_of_next, false)) [[unlikely]]
    callbacks_.swap(callbacks_of_next());
  captures_.swap(buffers_->captures);
}

GraphTask::~GraphTask() {
  for (Node* node : buffers_->claimed) {
    // Whatever an error left on the way.
    if (node->scratch_.gradient.defined()) node->scratch_.gradient = TensorBase();
    if (node->slot_count_ > 1) {
      for (TensorBase& gradient : node->extras()->more_gradients) gradient = TensorBase();
    }
    node->link_.store(nullptr, std::memory_order_release);
  }
  captures_.clear();
  captures_.swap(buffers_->captures);
  Buffers::give_back(buffers_);
}

void GraphTask::add_root(Edge root, TensorBase gradient) {
  buffers_->roots.push_back({std::move(root), std::move(gradient)});
}

void GraphTask::capture(const Edge& edge, size_t index) {
  captures_.push_back({edge.node, edge.slot, index});
  results_.resize(std::max(results_.size(), index + 1));
}

// True at the first visit: from then on the node's scratch belongs to this call.
EAGRE_INLINE bool GraphTask::visit(Node& node) {
  void* owner = node.link_.load(std::memory_order_relaxed);
  if (owner == this) return false;
  if (!side_.empty() && side_.contains(&node)) return false;
  if (owner == nullptr) {
    buffers_->claimed.push_back(&node);  // before the claim: it may fail, and nobody would release
    if (node.link_.compare_exchange_strong(owner, this, std::memory_order_acquire)) {
      node.scratch_.dependencies = 0;
      node.scratch_.needed = true;
      node.scratch_.captured = false;
      return true;
    }
    buffers_->claimed.pop_back();
  }
  SideState& state = side_[&node];
  state.scratch.needed = true;
  state.more_gradients.resize(node.slot_count_ - 1);
  return true;
}

std::vector<GraphTask::Root>& GraphTask::roots() { return buffers_->roots; }

std::vector<Node*> GraphTask::nodes() const {
  std::vector<Node*> all = buffers_->claimed;
  for (const auto& [node, state] : side_) all.push_back(node);
  return all;
}

EAGRE_NOINLINE Node::Scratch* GraphTask::find_side_scratch(Node& node) {
  auto entry = side_.find(&node);
  return entry == side_.end() ? nullptr : &entry->second.scratch;
}

// Every node that the roots reach will run.
void GraphTask::count_all() {
  auto& stack = buffers_->stack;
  for (const Root& root : buffers_->roots) {
    if (visit(*root.edge.node)) stack.push_back({root.edge.node.get(), 0});
  }
  while (!stack.empty()) {
    Node& node = *stack.back().node;
    stack.pop_back();
    Edge* edges = node.edges();
    for (size_t i = 0; i < node.edge_count(); ++i) {
      Node* next = edges[i].node.get();
      if (next == nullptr) continue;
      if (visit(*next)) stack.push_back({next, 0});
      ++find_scratch(*next)->dependencies;
    }
  }
}

std::vector<GraphTask::Capture>::iterator GraphTask::first_capture(const Node& node) {
  return std::lower_bound(
      captures_.begin(), captures_.end(), &node,
      [](const Capture& capture, const Node* key) { return capture.node.get() < key; });
}

// Depth first, children before parents: a node is needed if some child is needed or captured.
// Nodes whose topological number is below that of every captured node cannot reach one.
void GraphTask::mark_needed(uint32_t lowest) {
  auto& stack = buffers_->stack;
  const auto enter = [&](Node& node) {
    if (!visit(node)) return;
    Node::Scratch& scratch = *find_scratch(node);
    scratch.needed = false;
    auto found = first_capture(node);
    for (; found != captures_.end() && found->node.get() == &node; ++found) {
      (found->result == kNoResult ? scratch.needed : scratch.captured) = true;
    }
    stack.push_back({&node, 0});
  };
  for (const Root& root : buffers_->roots) {
    enter(*root.edge.node);
    while (!stack.empty()) {
      auto& [node, next_edge] = stack.back();
      if (next_edge == node->edge_count()) {
        stack.pop_back();
        continue;
      }
      Node* next = node->edges()[next_edge].node.get();
      if (next == nullptr || next->topological() < lowest || is_blocked(node->edges()[next_edge])) {
        ++next_edge;
        continue;
      }
      const size_t depth = stack.size();
      enter(*next);
      if (stack.size() > depth) continue;  // the child first; this edge is looked at again after it
      const Node::Scratch& child = *find_scratch(*next);
      if (child.needed || child.captured) find_scratch(*node)->needed = true;
      ++next_edge;
    }
  }
}

void GraphTask::count_towards_captures() {
  std::sort(captures_.begin(), captures_.end(),
            [](const Capture& a, const Capture& b) { return a.node.get() < b.node.get(); });
  uint32_t lowest = UINT32_MAX;
  for (const Capture& capture : captures_) lowest = std::min(lowest, capture.node->topological());
  mark_needed(lowest);
  const auto count = [&](Node& node, const Node::Scratch& scratch) {
    if (!scratch.needed) return;
    for (size_t i = 0; i < node.edge_count(); ++i) {
      if (wants(node.edges()[i])) ++find_scratch(*node.edges()[i].node)->dependencies;
    }
  };
  for (Node* node : buffers_->claimed) count(*node, node->scratch_);
  for (auto& [node, state] : side_) count(*node, state.scratch);
}

bool GraphTask::is_blocked(const Edge& edge) const {
  return std::any_of(blocked_.begin(), blocked_.end(), [&](const Edge& blocked) {
    return blocked.node == edge.node && blocked.slot == edge.slot;
  });
}

EAGRE_NOINLINE bool GraphTask::leads_to_capture(const Edge& edge) {
  if (is_blocked(edge)) return false;
  const Node::Scratch* scratch = find_scratch(*edge.node);
  return scratch != nullptr && (scratch->needed || scratch->captured);
}

EAGRE_INLINE void GraphTask::make_ready(Node& node) {
  auto& ready = buffers_->ready;
  ready.push_back(&node);
  if (ready.size() > 1) std::push_heap(ready.begin(), ready.end(), runs_later);
}

void GraphTask::make_ready_in_sequence(Node* node) {
  if (node != nullptr && --find_scratch(*node)->dependencies == 0) make_ready(*node);
}

// Sums in the order of arrival, which the order of running fixes: results repeat bit for bit.
EAGRE_NOINLINE void GraphTask::add_gradient(TensorBase& sum, TensorBase& gradient) {
  if (options_.create_graph || transforms_active()) {
    sum = ops::add(sum, gradient, 1, current_site());
  } else if (sum.get().is_sole_owner()) {
    dispatch::add_(sum, gradient, 1);
  } else {
    sum = dispatch::add(sum, gradient, 1);
  }
}

EAGRE_INLINE void GraphTask::deliver(const Edge& edge, TensorBase& gradient, Node& from,
                                     size_t index) {
  Node& next = *edge.node;
  Node::Scratch& scratch = *find_scratch(next);
  if (gradient.defined()) receive(edge, scratch, gradient, &from, index);
  if (--scratch.dependencies == 0) make_ready(next);
}

void GraphTask::store_captures(Node& node, Span<TensorBase> gradients) {
  auto capture = first_capture(node);
  for (; capture != captures_.end() && capture->node.get() == &node; ++capture) {
    if (capture->result != kNoResult) results_[capture->result] = gradients[capture->slot];
  }
}

// Those that the bits of `wanted` do not reach.
EAGRE_NOINLINE void GraphTask::deliver_beyond_64(Node& node, NodeIo io) {
  Edge* edges = node.edges();
  for (size_t i = 64; i < node.edge_count(); ++i) {
    if (wants(edges[i])) deliver(edges[i], io.results[i], node, i);
  }
}

template <bool kIsWatched>
EAGRE_INLINE void GraphTask::run_with(Node& node, Node::Scratch& scratch, NodeIo io) {
  uint64_t wanted = 0;
  if (!apply_node<kIsWatched>(node, scratch, io, wanted)) return;
  Edge* edges = node.edges();
  for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(rest));
    deliver(edges[i], io.results[i], node, i);
  }
  if (node.edge_count() > 64) [[unlikely]]
    deliver_beyond_64(node, io);
  if constexpr (kIsWatched) make_ready_in_sequence(sequence_.next(node));
}

bool GraphTask::reaches(Node& node) {
  const Node::Scratch* scratch = find_scratch(node);
  return scratch != nullptr && (scratch->needed || scratch->captured);
}

// See hooks.h for the order.
void GraphTask::run_hooks_before(Node& node, const Node::Scratch& scratch, NodeIo io,
                                 KeptForHooks& kept) {
  const Span<TensorBase> gradients(io.gradients, node.slot_count());
  HookTable* hooks = hooks_of(node);
  if (hooks != nullptr) run_tensor_hooks(node, *hooks, gradients);
  if (scratch.captured) store_captures(node, gradients);
  if (hooks == nullptr || !scratch.needed) return;
  run_pre_hooks(node, *hooks, gradients);
  if (hooks->list(HookKind::kAfter) != nullptr) {
    kept.gradients.assign(gradients.begin(), gradients.end());  // the node may move them
  }
  kept.accumulates = node.is_accumulate() && gradients[0].defined();
}

EAGRE_NOINLINE void GraphTask::run_hooks_after(Node& node, NodeIo io, KeptForHooks kept) {
  HookTable* hooks = hooks_of(node);
  if (hooks == nullptr) return;
  if (kept.accumulates) run_accumulated_hooks(node, *hooks);
  run_post_hooks(node, *hooks, {io.results, node.edge_count()}, std::move(kept.gradients));
}

// Most nodes have one output and at most two inputs: their gradients fit on the stack.
template <bool kIsWatched>
void GraphTask::run_node(Node& node) {
  current_ = &node;
  Node::Scratch& scratch = *find_scratch(node);
  if (node.slot_count() > 1 || node.edge_count() > Node::kInlineEdges) [[unlikely]] {
    return run_large_node<kIsWatched>(node, scratch);
  }
  TensorBase gradient = std::move(scratch.gradient);
  TensorBase results[Node::kInlineEdges];
  run_with<kIsWatched>(node, scratch, {&gradient, results});
}

template <bool kIsWatched>
EAGRE_NOINLINE void GraphTask::run_large_node(Node& node, Node::Scratch& scratch) {
  std::vector<TensorBase> gradients(node.slot_count());
  std::vector<TensorBase> results(node.edge_count());
  for (uint32_t slot = 0; slot < gradients.size(); ++slot) {
    gradients[slot] = std::move(gradient(node, scratch, slot));
  }
  run_with<kIsWatched>(node, scratch, {gradients.data(), results.data()});
}

template <bool kIsWatched>
void GraphTask::run_ready_nodes() {
  constexpr int kNodesPerLook = 64;
  constexpr int64_t kWorkOfThem = int64_t{1} << 14;
  auto& ready = buffers_->ready;
  while (!ready.empty()) {
    for (int i = 0; i < kNodesPerLook && !ready.empty(); ++i) {
      if (ready.size() > 1) std::pop_heap(ready.begin(), ready.end(), runs_later);
      Node* node = ready.back();
      ready.pop_back();
      run_node<kIsWatched>(*node);
    }
    poll_interrupt(kWorkOfThem);
  }
}

void GraphTask::run_watched_nodes() {
  run_ready_nodes<true>();
  while (Node* node = first_stuck()) {
    make_ready_in_sequence(node);
    run_ready_nodes<true>();
  }
}

void GraphTask::start_roots() {
  for (Root& root : buffers_->roots) {
    Node& node = *root.edge.node;
    current_ = &node;
    receive(root.edge, *find_scratch(node), root.gradient, nullptr, 0);
  }
  for (const Root& root : buffers_->roots) {
    Node& node = *root.edge.node;
    Node::Scratch& scratch = *find_scratch(node);
    // The same root given twice is ready once.
    if (scratch.dependencies != 0 || !(scratch.needed || scratch.captured)) continue;
    scratch.dependencies = -1;
    make_ready(node);
  }
}

void GraphTask::add_place(Error& error, const Node& node) {
  const std::string place =
      node.is_accumulate() ? "" : concat(", recorded at ", describe_site(node.site()));
  error.add_line(concat("  in the backward of ", node.name(), place));
}

bool GraphTask::has_accelerator_nodes() const {
  if (!dispatch::any_plugin()) [[likely]]
    return false;
  const auto is_on_accelerator = [](const Node* node) {
    const Device device = device_of(*node);
    return !device.is_cpu() && !device.is_meta();
  };
  const std::vector<Node*> all = nodes();
  return std::any_of(all.begin(), all.end(), is_on_accelerator);
}

void GraphTask::plan_sequence() {
  std::vector<Node*> running = nodes();
  std::erase_if(running, [&](Node* node) { return !find_scratch(*node)->needed; });
  sequence_ = NodeSequence(running);
  for (Node* node : sequence_.waiting()) ++find_scratch(*node)->dependencies;
}

Node* GraphTask::first_stuck() {
  return sequence_.first_stuck([&](Node& node) { return find_scratch(node)->dependencies == 1; });
}

void GraphTask::run() {
  const Scope scope(*this, &current_);
  {
    const AutoGradMode mode(options_.create_graph);
    if (captures_.empty()) {
      count_all();
    } else {
      count_towards_captures();
    }
    if (any_sequential_nodes()) [[unlikely]]
      plan_sequence();
    if (has_accelerator_nodes()) [[unlikely]] {
      runs_in_lanes_ = lane_state().may_use_lanes();
      DeviceRun(*this).run();
    } else {
      try {
        start_roots();
        const bool is_watched = watches_nodes() || !sequence_.empty();
        is_watched ? run_watched_nodes() : run_ready_nodes<false>();
      } catch (Error& error) {
        add_place(error, *current_);
        throw;
      }
    }
  }
  thread_state.site = CallSite::none();
  if (!callbacks_.empty()) [[unlikely]]
    run_callbacks();
}

}  // namespace eagre::autograd
