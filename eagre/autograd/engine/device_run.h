// The run of a backward call that has nodes on accelerators.
//
// Note [Lanes]
// Nodes of the CPU run in the caller's thread, those of an accelerator in the thread of the device
// (see device_lanes.h), each on the stream on which its forward ran. What the nodes do runs beside
// each other; what changes the task (gradients that arrive, counts) is done with the lock held.
// Gradients of one slot are summed in the order in which a single thread would have made them,
// whichever comes first: results repeat bit for bit.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <eagre/autograd/graph_task.h>
#include <eagre/dispatch/stream.h>

namespace eagre::autograd {

class DeviceRun {
 public:
  explicit DeviceRun(GraphTask& task);

  // Runs every node of the task. Throws the first error, when nothing of the task runs any more.
  void run();
  // By the thread of a device.
  void run_in_lane(Node& node) noexcept;

 private:
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
  void make_ready_in_sequence(Node* node);
  bool has_work();
  void run_node(Node& node);
  void run_and_keep_error(Node& node) noexcept;
  void deliver(Node& from, uint32_t index, TensorBase& gradient);
  void add(Node& from, uint32_t index, TensorBase& gradient);
  void fail(std::exception_ptr problem);
  void wait_for_lanes(std::unique_lock<std::mutex>& lock);
  void join_streams();

  GraphTask& task_;
  // What threads of devices take over from the caller.
  const ThreadModes modes_;
  const CurrentStreams streams_;
  const uint32_t depth_;
  const bool uses_lanes_;
  std::unordered_map<Node*, Inbox> inboxes_;  // of nodes that get several gradients

  std::mutex mutex_;  // of all that follows and of the task
  std::condition_variable lanes_done_;
  std::vector<Node*> ready_;  // for the caller's thread; a heap
  size_t in_lanes_ = 0;
  std::vector<Stream> used_streams_;
  std::exception_ptr problem_;
};

}  // namespace eagre::autograd
