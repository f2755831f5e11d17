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
    static constinit thread_local FreeList list __attribute__((tls_model("initial-exec")));
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

void Plan::add_capture(const Edge& edge, TensorBase* result) {
  captures_.push_back({edge.node.get(), edge.slot, result});
  is_partial_ = true;
}

// Its scratch at the first visit, from which on it belongs to this call; then null.
EAGRE_INLINE Plan::Scratch* Plan::visit(Node& node) {
  void* owner = node.link_.load(std::memory_order_relaxed);
  if (owner == this) return nullptr;
  if (!side_.empty() && side_.contains(&node)) return nullptr;
  if (owner == nullptr) {
    buffers_->claimed.push_back(&node);  // before the claim: it may fail, and nobody would release
    if (node.link_.compare_exchange_strong(owner, this, std::memory_order_acquire)) {
      node.scratch_.dependencies = 0;
      node.scratch_.needed = true;
      node.scratch_.captured = false;
      return &node.scratch_;
    }
    buffers_->claimed.pop_back();
  }
  SideState& state = side_[&node];
  state.scratch.needed = true;
  state.more_gradients.resize(node.slot_count_ - 1);
  return &state.scratch;
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

Span<const Plan::Capture> Plan::captures_of(const Node& node) const {
  const Capture* first = captures_.data();
  const Capture* const end = first + captures_.size();
  if (captures_.size() > 4) {
    first = std::lower_bound(first, end, &node, [](const Capture& capture, const Node* key) {
      return capture.node < key;
    });
  } else {
    while (first != end && first->node != &node) ++first;
  }
  const Capture* last = first;
  while (last != end && last->node == &node) ++last;
  return {first, static_cast<size_t>(last - first)};
}

void Plan::enter(Node& node) {
  Scratch* const scratch = visit(node);
  if (scratch == nullptr) return;
  scratch->needed = false;
  for (const Capture& capture : captures_of(node)) {
    (capture.result == nullptr ? scratch->needed : scratch->captured) = true;
  }
  buffers_->stack.push_back({&node, 0});
}

// Depth first, children before parents: a node is needed if some child is needed or captured, and
// then that child waits for its gradient. Nodes whose topological number is below that of every
// captured node cannot reach one.
void Plan::count_towards_captures() {
  if (captures_.size() > 1) {
    std::sort(captures_.begin(), captures_.end(),
              [](const Capture& a, const Capture& b) { return a.node < b.node; });
  }
  uint32_t lowest = UINT32_MAX;
  for (const Capture& capture : captures_) lowest = std::min(lowest, capture.node->topological());
  auto& stack = buffers_->stack;
  for (const Root& root : buffers_->roots) {
    enter(*root.edge.node);
    while (!stack.empty()) {
      auto& [node, next_edge] = stack.back();
      if (next_edge == node->edge_count()) {
        stack.pop_back();
        continue;
      }
      const Edge& edge = node->edges()[next_edge];
      Node* const next = edge.node.get();
      if (next == nullptr || next->topological() < lowest || is_blocked(edge)) {
        ++next_edge;
        continue;
      }
      const size_t depth = stack.size();
      enter(*next);
      if (stack.size() > depth) continue;  // the child first; this edge is looked at again after it
      Scratch& child = *find_scratch(*next);
      if (child.needed || child.captured) {
        find_scratch(*node)->needed = true;
        ++child.dependencies;
      }
      ++next_edge;
    }
  }
}

bool Plan::is_among_blocked(const Edge& edge) const {
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
  for (const Capture& capture : captures_of(node)) {
    if (capture.result != nullptr) *capture.result = gradients[capture.slot];
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
