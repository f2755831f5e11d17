// A backward call from its plan to its callbacks.
#include <eagre/autograd/engine/graph_task.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/device_run.h>
#include <eagre/autograd/engine/device_threads.h>
#include <eagre/autograd/engine/node_runner.h>
#include <eagre/autograd/engine/plan.h>
#include <eagre/autograd/engine/scheduler.h>
#include <eagre/autograd/engine/sequential.h>
#include <eagre/autograd/engine/serial_run.h>
#include <eagre/autograd/engine/task_scope.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/dispatch/plugin_device.h>

namespace eagre::autograd {
namespace {

// Callbacks that wait for this thread's next call; the flag spares it to look.
constinit thread_local bool has_callbacks_of_next __attribute__((tls_model("initial-exec"))) =
    false;
std::vector<std::function<void()>>& callbacks_of_next() {
  thread_local std::vector<std::function<void()>> list;
  return list;
}

// Plays the run without the nodes.
class OrderRun : private Scheduler<OrderRun> {
 public:
  OrderRun(Plan& plan, const std::vector<Node*>& nodes)
      : Scheduler(NodeSequence(nodes)), plan_(plan) {
    for (Node* node : nodes) {
      for (size_t i = 0; i < node->edge_count(); ++i) {
        if (plan_.wants(node->edges()[i])) ++waiting(*node->edges()[i].node);
      }
    }
    for (Node* node : waiting_in_sequence()) ++waiting(*node);
  }

  std::vector<Node*> run() {
    start(plan_.roots());
    std::vector<Node*> order;
    while (true) {
      if (ready_.empty()) free_stuck();
      if (ready_.empty()) return order;
      Node& node = ready_.pop();
      order.push_back(&node);
      if (!plan_.find_scratch(node)->needed) continue;
      for (size_t i = 0; i < node.edge_count(); ++i) {
        const Edge& edge = node.edges()[i];
        if (plan_.wants(edge)) arrive(*edge.node, waiting(*edge.node));
      }
      finish_in_sequence(node);
    }
  }

 private:
  friend class Scheduler<OrderRun>;

  int32_t& waiting(Node& node) { return waiting_[&node]; }
  bool takes_part(Node& node) { return plan_.reaches(node); }
  void make_ready(Node& node) { ready_.push(node); }

  Plan& plan_;
  ReadyQueue ready_;
  std::unordered_map<Node*, int32_t> waiting_;  // the run changes the counts of the plan
};

}  // namespace

void GraphTask::add_callback_of_next(std::function<void()> callback) {
  callbacks_of_next().push_back(std::move(callback));
  has_callbacks_of_next = true;
}

GraphTask::GraphTask(BackwardOptions options) : options_(options) {
  if (std::exchange(has_callbacks_of_next, false)) [[unlikely]]
    callbacks_.swap(callbacks_of_next());
}

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
  Node* const no_node = nullptr;
  const TaskScope scope(*this, &no_node);
  for (size_t i = 0; i < callbacks_.size(); ++i) {
    const auto callback = std::move(callbacks_[i]);  // it may queue more and so move the others
    callback();
  }
}

std::vector<Node*> GraphTask::execution_order() {
  EAGRE_CHECK(
      !uses_device_threads_, kAutograd,
      "the execution order is only known with multithreading disabled: nodes of devices run "
      "in threads of their own. Hint: set_multithreading_enabled(false)");
  return OrderRun(plan_, plan_.running_nodes()).run();
}

bool GraphTask::has_accelerator_nodes() const {
  if (!dispatch::any_plugin()) [[likely]]
    return false;
  const std::vector<Node*> all = plan_.nodes();
  return std::any_of(all.begin(), all.end(),
                     [](const Node* node) { return is_accelerator(device_of(*node)); });
}

void GraphTask::run() {
  {
    const AutoGradMode mode(options_.create_graph);
    plan_.make();
    if (has_accelerator_nodes()) [[unlikely]] {
      uses_device_threads_ = device_thread_state().may_use_others();
      DeviceRun run(*this, plan_, options_);
      const TaskScope scope(*this, run.current());
      run.run();
    } else {
      SerialRun run(plan_, options_);
      const TaskScope scope(*this, run.current());
      run.run();
    }
  }
  thread_state.site = CallSite::none();
  if (!callbacks_.empty()) [[unlikely]]
    run_callbacks();
}

}  // namespace eagre::autograd
