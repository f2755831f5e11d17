// The calls that a thread is in, innermost first, and the answers to questions about them.
#include <eagre/autograd/current_task.h>

#include <algorithm>
#include <utility>

#include <eagre/autograd/graph_task_steps.h>

namespace eagre::autograd {
namespace {

constinit thread_local GraphTask::Scope* innermost __attribute__((tls_model("initial-exec"))) =
    nullptr;

GraphTask& current_or_raise(const char* problem) {
  GraphTask* task = GraphTask::current();
  if (task == nullptr) raise(ErrorKind::kAutograd, problem);
  return *task;
}

}  // namespace

GraphTask::Scope::Scope(GraphTask& task, Node* const* node)
    : task_(task), node_(node), outer_(std::exchange(innermost, this)) {}
GraphTask::Scope::~Scope() { innermost = outer_; }

GraphTask* GraphTask::current() { return innermost == nullptr ? nullptr : &innermost->task_; }
Node* GraphTask::current_node() { return innermost == nullptr ? nullptr : *innermost->node_; }

int64_t GraphTask::id() {
  static std::atomic<int64_t> next{0};
  int64_t known = id_.load();
  if (known >= 0) return known;
  const int64_t fresh = next++;
  return id_.compare_exchange_strong(known, fresh) ? fresh : known;
}

void GraphTask::queue_callback(std::function<void()> callback) {
  std::lock_guard lock(callbacks_lock_);
  callbacks_.push_back(std::move(callback));
}

void GraphTask::run_callbacks() {
  current_ = nullptr;
  for (size_t i = 0; i < callbacks_.size(); ++i) {
    const auto callback = std::move(callbacks_[i]);  // it may queue more and so move the others
    callback();
  }
}

// Plays the run without the nodes.
std::vector<Node*> GraphTask::execution_order() {
  EAGRE_CHECK(
      !runs_in_lanes_, kAutograd,
      "the execution order is only known with multithreading disabled: nodes of devices run "
      "in threads of their own. Hint: set_multithreading_enabled(false)");
  const auto takes_part = [&](const Edge& edge) { return wants(edge); };
  std::unordered_map<Node*, int> missing;
  std::vector<Node*> running;
  for (Node* node : nodes()) {
    if (!find_scratch(*node)->needed) continue;
    running.push_back(node);
    for (size_t i = 0; i < node->edge_count(); ++i) {
      if (takes_part(node->edges()[i])) ++missing[node->edges()[i].node.get()];
    }
  }
  const auto runs_later = [](const Node* a, const Node* b) {
    return a->sequence() < b->sequence();
  };
  NodeSequence sequence(running);
  for (Node* node : sequence.waiting()) ++missing[node];
  std::vector<Node*> ready, order;
  const auto arrive = [&](Node* node) {
    if (node == nullptr || --missing[node] != 0) return;
    ready.push_back(node);
    std::push_heap(ready.begin(), ready.end(), runs_later);
  };
  for (const Root& root : roots()) {
    Node* node = root.edge.node.get();
    const bool is_new = std::find(ready.begin(), ready.end(), node) == ready.end();
    if (is_new && missing[node] == 0 && takes_part(root.edge)) ready.push_back(node);
  }
  std::make_heap(ready.begin(), ready.end(), runs_later);
  while (true) {
    if (ready.empty()) arrive(sequence.first_stuck([&](Node& one) { return missing[&one] == 1; }));
    if (ready.empty()) return order;
    std::pop_heap(ready.begin(), ready.end(), runs_later);
    Node* node = ready.back();
    ready.pop_back();
    order.push_back(node);
    if (!find_scratch(*node)->needed) continue;
    for (size_t i = 0; i < node->edge_count(); ++i) {
      if (takes_part(node->edges()[i])) arrive(node->edges()[i].node.get());
    }
    arrive(sequence.next(*node));
  }
}

void queue_callback(std::function<void()> callback) {
  current_or_raise("Final callbacks can only be installed during backward pass.")
      .queue_callback(std::move(callback));
}

void add_backward_final_hook(std::function<void()> hook) {
  if (GraphTask* task = GraphTask::current()) return task->queue_callback(std::move(hook));
  GraphTask::add_callback_of_next(std::move(hook));
}

int64_t current_graph_task_id() {
  GraphTask* task = GraphTask::current();
  return task == nullptr ? -1 : task->id();
}

IntrusivePtr<Node> current_node() {
  Node* node = GraphTask::current_node();
  return node == nullptr ? IntrusivePtr<Node>() : IntrusivePtr<Node>::share(node);
}

bool current_graph_task_keeps_graph() {
  GraphTask* task = GraphTask::current();
  return task == nullptr || task->options().keep_graph;
}

bool current_graph_task_is_partial() {
  GraphTask* task = GraphTask::current();
  return task != nullptr && task->is_partial();
}

bool current_graph_task_reaches(Node& node) {
  GraphTask* task = GraphTask::current();
  return task != nullptr && task->reaches(node);
}

std::vector<IntrusivePtr<Node>> current_graph_task_execution_order() {
  GraphTask& task = current_or_raise(
      "the execution order of a graph task can only be asked during the backward pass");
  std::vector<IntrusivePtr<Node>> order;
  for (Node* node : task.execution_order()) order.push_back(IntrusivePtr<Node>::share(node));
  return order;
}

}  // namespace eagre::autograd
