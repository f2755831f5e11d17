// Queries about the backward call that runs, and its callbacks.
#include <eagre/autograd/engine/current_task.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/graph_task.h>
#include <eagre/autograd/engine/task_scope.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>

namespace eagre::autograd {
namespace {

GraphTask& current_or_raise(const char* problem) {
  GraphTask* task = TaskScope::current_task();
  if (task == nullptr) raise(ErrorKind::kAutograd, problem);
  return *task;
}

}  // namespace

void queue_callback(std::function<void()> callback) {
  current_or_raise("Final callbacks can only be installed during backward pass.")
      .queue_callback(std::move(callback));
}

void add_backward_final_hook(std::function<void()> hook) {
  if (GraphTask* task = TaskScope::current_task()) return task->queue_callback(std::move(hook));
  GraphTask::add_callback_of_next(std::move(hook));
}

int64_t current_graph_task_id() {
  GraphTask* task = TaskScope::current_task();
  return task == nullptr ? -1 : task->id();
}

IntrusivePtr<Node> current_node() {
  Node* node = TaskScope::current_node();
  return node == nullptr ? IntrusivePtr<Node>() : IntrusivePtr<Node>::share(node);
}

bool current_graph_task_keeps_graph() {
  GraphTask* task = TaskScope::current_task();
  return task == nullptr || task->options().keep_graph;
}

bool current_graph_task_is_partial() {
  GraphTask* task = TaskScope::current_task();
  return task != nullptr && task->plan().is_partial();
}

bool current_graph_task_reaches(Node& node) {
  GraphTask* task = TaskScope::current_task();
  return task != nullptr && task->plan().reaches(node);
}

std::vector<IntrusivePtr<Node>> current_graph_task_execution_order() {
  GraphTask& task = current_or_raise(
      "the execution order of a graph task can only be asked during the backward pass");
  std::vector<IntrusivePtr<Node>> order;
  for (Node* node : task.execution_order()) order.push_back(IntrusivePtr<Node>::share(node));
  return order;
}

}  // namespace eagre::autograd
