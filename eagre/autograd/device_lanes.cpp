// The lanes: a queue and a detached thread per device. They are never destroyed, so a process may
// end in any order; after fork() the child, where none of the threads is, makes new ones.
#include <eagre/autograd/device_lanes.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include <eagre/autograd/device_run.h>
#include <eagre/base/detached_thread.h>
#include <eagre/base/fork.h>

namespace eagre::autograd {
namespace {

struct Waiting {
  DeviceRun* run;
  Node* node;
  uint32_t depth;

  bool operator<(const Waiting& other) const {
    return depth != other.depth ? depth < other.depth : node->sequence() < other.node->sequence();
  }
};

class Lane {
 public:
  explicit Lane(Device device) : device_(device) {}

  Device device() const { return device_; }

  void post(const Waiting& work) {
    std::lock_guard lock(mutex_);
    queue_.push_back(work);
    std::push_heap(queue_.begin(), queue_.end());
    changed_.notify_one();
  }

  static void serve(void* self) {
    lane_state().is_lane = true;
    auto& lane = *static_cast<Lane*>(self);
    while (true) {
      const Waiting work = lane.take();
      work.run->run_in_lane(*work.node);
    }
  }

 private:
  Waiting take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !queue_.empty(); });
    std::pop_heap(queue_.begin(), queue_.end());
    const Waiting work = queue_.back();
    queue_.pop_back();
    return work;
  }

  const Device device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting> queue_;  // a heap
};

struct Lanes {
  ForkMutex mutex;
  std::vector<Lane*>* all = new std::vector<Lane*>;

  static Lanes& get() {
    static Lanes& instance = *new Lanes;
    return instance;
  }
  // What the parent's threads were doing stays where it is: they may have been in the middle of it.
  static void forget() { get().all = new std::vector<Lane*>; }
  Lanes() { at_fork_in_child(&forget); }

  Lane* find(Device device) {
    std::lock_guard hold(mutex);
    for (Lane* lane : *all) {
      if (lane->device() == device) return lane;
    }
    auto lane = std::make_unique<Lane>(device);
    all->reserve(all->size() + 1);
    if (!start_detached_thread(&Lane::serve, lane.get())) return nullptr;
    all->push_back(lane.get());
    return lane.release();
  }
};
const MadeAtLoad kLanesAtLoad(Lanes::get);

}  // namespace

LaneState& lane_state() {
  thread_local constinit LaneState state;
  return state;
}

void set_multithreading_enabled(bool enabled) { lane_state().is_enabled = enabled; }
bool is_multithreading_enabled() { return lane_state().is_enabled; }

bool post_to_lane(Device device, DeviceRun& run, Node& node, uint32_t depth) {
  Lane* lane = Lanes::get().find(device);
  if (lane == nullptr) return false;
  lane->post({&run, &node, depth});
  return true;
}

}  // namespace eagre::autograd
