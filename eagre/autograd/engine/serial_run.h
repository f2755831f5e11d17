// The run of a backward call in the thread that made it.
#pragma once

#include <eagre/autograd/engine/node_runner.h>

namespace eagre::autograd {

class SerialRun : private NodeRunner, private Scheduler<SerialRun> {
 public:
  SerialRun(Plan& plan, BackwardOptions options)
      : NodeRunner(plan, options), Scheduler(plan.take_sequence()), ready_(plan.ready()) {}

  using NodeRunner::current;
  // Runs every node of the plan.
  void run();

 private:
  friend class Scheduler<SerialRun>;

  EAGRE_INLINE void make_ready(Node& node) { ready_.push(node); }
  void start_roots();
  void deliver(const Edge& edge, TensorBase& gradient, Node& from, size_t index);
  void deliver_beyond_64(Node& node, NodeIo io);
  // Twice each: watched (see anomaly.h), and without looking whether anyone does.
  template <bool kIsWatched>
  void run_ready_nodes();
  template <bool kIsWatched>
  void run_node(Node& node);
  template <bool kIsWatched>
  void run_large_node(Node& node, Scratch& scratch);
  template <bool kIsWatched>
  void run_with(Node& node, Scratch& scratch, NodeIo io);
  void run_watched_nodes();

  ReadyQueue& ready_;
};

}  // namespace eagre::autograd
