// The run of a backward call that has nodes on accelerators.
//
// Note [Device threads]
// Nodes of the CPU run in the caller's thread, those of an accelerator in the thread of the device
// (see device_threads.h), each on the stream on which its forward ran. What the nodes do runs
// beside each other; what changes the plan (gradients that arrive, counts) is done with the lock
// held. Gradients of one slot are summed in the order in which a single thread would have made
// them, whichever comes first: results repeat bit for bit.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <eagre/autograd/engine/node_runner.h>
#include <eagre/dispatch/stream.h>

namespace eagre::autograd {

class GraphTask;

// Where the node runs: the device of a leaf, or of one of its outputs, if that is an accelerator.
Device device_of(const Node& node);
inline bool is_accelerator(Device device) { return !device.is_cpu() && !device.is_meta(); }

class DeviceRun : private NodeRunner, private Scheduler<DeviceRun> {
 public:
  // `task`: the call that the threads of devices work for.
  DeviceRun(GraphTask& task, Plan& plan, BackwardOptions options);

  using NodeRunner::current;

  // Runs every node of the plan. Throws the first error, when nothing of it runs any more.
  void run();

 private:
  friend class Scheduler<DeviceRun>;

  // A gradient that one edge will bring.
  struct Arrival {
    Node* from;
    uint32_t index;  // of the edge in `from`
    bool is_here = false;
    TensorBase gradient;
  };
  struct Inbox {
    std::vector<Arrival> arrivals;  // in the order of their sum
    size_t summed = 0;
  };

  void plan_arrivals();
  Stream stream_of(const Node& node) const;
  void hand_over(const TensorBase& gradient, const Stream& to);
  void start_roots();
  void make_ready(Node& node);
  bool has_work();
  void run_node(Node& node);
  void run_and_keep_error(Node& node) noexcept;
  // By the thread of a device.
  void run_in_device_thread(Node& node) noexcept;
  void deliver(Node& from, uint32_t index, TensorBase& gradient);
  void add(Node& from, uint32_t index, TensorBase& gradient);
  void fail(std::exception_ptr problem);
  void wait_for_device_threads(std::unique_lock<std::mutex>& lock);
  void join_streams();

  GraphTask& task_;
  // What threads of devices take over from the caller.
  const ThreadModes modes_;
  const CurrentStreams streams_;
  const uint32_t depth_;
  const bool uses_device_threads_;
  std::unordered_map<Node*, Inbox> inboxes_;  // of nodes that get several gradients

  std::mutex mutex_;  // of all that follows and of the plan
  std::condition_variable progress_;
  ReadyQueue& ready_;  // for the caller's thread
  size_t in_device_threads_ = 0;
  std::vector<Stream> used_streams_;
  std::exception_ptr problem_;
};

}  // namespace eagre::autograd
