// One backward call: its plan, its run, and what code that runs inside may ask of it.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include <eagre/autograd/engine/node_runner.h>
#include <eagre/autograd/engine/plan.h>

namespace eagre::autograd {

class GraphTask {
 public:
  explicit GraphTask(BackwardOptions options);
  GraphTask(const GraphTask&) = delete;
  GraphTask& operator=(const GraphTask&) = delete;

  // To be told what the call is about, and then what came out of it.
  Plan& plan() { return plan_; }

  void run();

  // --- for code that runs inside of it; any thread ---
  const BackwardOptions& options() const { return options_; }
  int64_t id();  // given out at the first question
  // To be called at the end by the thread that called backward().
  void queue_callback(std::function<void()> callback);
  // The same for the next call of this thread.
  static void add_callback_of_next(std::function<void()> callback);
  // The nodes in the order in which they run. An error when several threads run them.
  std::vector<Node*> execution_order();

 private:
  bool has_accelerator_nodes() const;
  void run_callbacks();

  const BackwardOptions options_;
  Plan plan_;
  bool uses_device_threads_ = false;
  std::atomic<int64_t> id_{-1};
  std::mutex callbacks_lock_;
  std::vector<std::function<void()>> callbacks_;
};

}  // namespace eagre::autograd
