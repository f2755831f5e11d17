// Planning: a sweep from the roots claims the nodes and counts the gradients that each will get.
#include <eagre/autograd/engine/plan.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/scheduler.h>
#include <eagre/autograd/engine/sequential.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/export.h>
#include <eagre/base/span.h>

namespace eagre::autograd {

struct Plan::Buffers {
  struct Frame {
    Node* node;
    size_t next_edge;
  };
  std::vector<Root> roots;
  std::vector<Node*> claimed;
  std::vector<Frame> stack;
  ReadyQueue ready;
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

Plan::Plan() : buffers_(Buffers::take()) { captures_.swap(buffers_->captures); }

Plan::~Plan() {
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

void Plan::add_root(Edge root, TensorBase gradient) {
  buffers_->roots.push_back({std::move(root), std::move(gradient)});
}

void Plan::capture(const Edge& edge, size_t index) {
  add_capture(edge, index);
  results_.resize(std::max(results_.size(), index + 1));
}

void Plan::add_capture(const Edge& edge, size_t result) {
  captures_.push_back({edge.node, edge.slot, result});
  is_partial_ = true;
}

// True at the first visit: from then on the node's scratch belongs to this call.
EAGRE_INLINE bool Plan::visit(Node& node) {
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

std::vector<Plan::Root>& Plan::roots() { return buffers_->roots; }

ReadyQueue& Plan::ready() { return buffers_->ready; }

std::vector<Node*> Plan::nodes() const {
  std::vector<Node*> all = buffers_->claimed;
  for (const auto& [node, state] : side_) all.push_back(node);
  return all;
}

EAGRE_NOINLINE Plan::Scratch* Plan::find_side_scratch(Node& node) {
  auto entry = side_.find(&node);
  return entry == side_.end() ? nullptr : &entry->second.scratch;
}

// Every node that the roots reach will run.
void Plan::count_all() {
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

std::vector<Plan::Capture>::iterator Plan::first_capture(const Node& node) {
  return std::lower_bound(
      captures_.begin(), captures_.end(), &node,
      [](const Capture& capture, const Node* key) { return capture.node.get() < key; });
}

// Depth first, children before parents: a node is needed if some child is needed or captured.
// Nodes whose topological number is below that of every captured node cannot reach one.
void Plan::mark_needed(uint32_t lowest) {
  auto& stack = buffers_->stack;
  const auto enter = [&](Node& node) {
    if (!visit(node)) return;
    Scratch& scratch = *find_scratch(node);
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
      const Scratch& child = *find_scratch(*next);
      if (child.needed || child.captured) find_scratch(*node)->needed = true;
      ++next_edge;
    }
  }
}

void Plan::count_towards_captures() {
  std::sort(captures_.begin(), captures_.end(),
            [](const Capture& a, const Capture& b) { return a.node.get() < b.node.get(); });
  uint32_t lowest = UINT32_MAX;
  for (const Capture& capture : captures_) lowest = std::min(lowest, capture.node->topological());
  mark_needed(lowest);
  const auto count = [&](Node& node, const Scratch& scratch) {
    if (!scratch.needed) return;
    for (size_t i = 0; i < node.edge_count(); ++i) {
      if (wants(node.edges()[i])) ++find_scratch(*node.edges()[i].node)->dependencies;
    }
  };
  for (Node* node : buffers_->claimed) count(*node, node->scratch_);
  for (auto& [node, state] : side_) count(*node, state.scratch);
}

bool Plan::is_blocked(const Edge& edge) const {
  return std::any_of(blocked_.begin(), blocked_.end(), [&](const Edge& blocked) {
    return blocked.node == edge.node && blocked.slot == edge.slot;
  });
}

EAGRE_NOINLINE bool Plan::leads_to_capture(const Edge& edge) {
  if (is_blocked(edge)) return false;
  const Scratch* scratch = find_scratch(*edge.node);
  return scratch != nullptr && (scratch->needed || scratch->captured);
}

bool Plan::reaches(Node& node) {
  const Scratch* scratch = find_scratch(node);
  return scratch != nullptr && (scratch->needed || scratch->captured);
}

void Plan::store_captures(Node& node, Span<TensorBase> gradients) {
  auto capture = first_capture(node);
  for (; capture != captures_.end() && capture->node.get() == &node; ++capture) {
    if (capture->result != kNoResult) results_[capture->result] = gradients[capture->slot];
  }
}

std::vector<Node*> Plan::running_nodes() {
  std::vector<Node*> running = nodes();
  std::erase_if(running, [&](Node* node) { return !find_scratch(*node)->needed; });
  return running;
}

void Plan::make() {
  if (captures_.empty()) {
    count_all();
  } else {
    count_towards_captures();
  }
  if (any_sequential_nodes()) [[unlikely]] {
    sequence_ = NodeSequence(running_nodes());
    for (Node* node : sequence_.waiting()) ++find_scratch(*node)->dependencies;
  }
}

}  // namespace eagre::autograd
