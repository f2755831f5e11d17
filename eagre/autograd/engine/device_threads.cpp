// A queue and a detached thread per device. They are never destroyed, so a process may end in any
// order; after fork() the child, where none of the threads is, makes new ones.
#include <eagre/autograd/engine/device_threads.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include <eagre/autograd/engine/scheduler.h>
#include <eagre/base/detached_thread.h>
#include <eagre/base/fork.h>
#include <eagre/core/device.h>

namespace eagre::autograd {
namespace {

bool runs_later(const DeviceWork& a, const DeviceWork& b) {
  return a.depth != b.depth ? a.depth < b.depth : autograd::runs_later(a.node, b.node);
}

class DeviceThread {
 public:
  explicit DeviceThread(Device device) : device_(device) {}

  Device device() const { return device_; }

  void post(const DeviceWork& work) {
    std::lock_guard lock(mutex_);
    queue_.push_back(work);
    std::push_heap(queue_.begin(), queue_.end(), runs_later);
    changed_.notify_one();
  }

  static void serve(void* self) {
    device_thread_state().is_device_thread = true;
    auto& thread = *static_cast<DeviceThread*>(self);
    while (true) {
      const DeviceWork work = thread.take();
      work.run(work.context, *work.node);
    }
  }

 private:
  DeviceWork take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !queue_.empty(); });
    std::pop_heap(queue_.begin(), queue_.end(), runs_later);
    const DeviceWork work = queue_.back();
    queue_.pop_back();
    return work;
  }

  const Device device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<DeviceWork> queue_;  // a heap
};

struct DeviceThreads {
  ForkMutex mutex;
  std::vector<DeviceThread*>* all = new std::vector<DeviceThread*>;

  static DeviceThreads& get() {
    static DeviceThreads& instance = *new DeviceThreads;
    return instance;
  }
  // What the parent's threads were doing stays where it is: they may have been in the middle of it.
  static void forget() { get().all = new std::vector<DeviceThread*>; }
  DeviceThreads() { at_fork_in_child(&forget); }

  DeviceThread* find(Device device) {
    std::lock_guard hold(mutex);
    for (DeviceThread* thread : *all) {
      if (thread->device() == device) return thread;
    }
    auto thread = std::make_unique<DeviceThread>(device);
    all->reserve(all->size() + 1);
    if (!start_detached_thread(&DeviceThread::serve, thread.get())) return nullptr;
    all->push_back(thread.get());
    return thread.release();
  }
};
const MadeAtLoad kDeviceThreadsAtLoad(DeviceThreads::get);

}  // namespace

DeviceThreadState& device_thread_state() {
  thread_local constinit DeviceThreadState state;
  return state;
}

void set_multithreading_enabled(bool enabled) { device_thread_state().is_enabled = enabled; }
bool is_multithreading_enabled() { return device_thread_state().is_enabled; }

bool post_to_device_thread(Device device, const DeviceWork& work) {
  DeviceThread* thread = DeviceThreads::get().find(device);
  if (thread == nullptr) return false;
  thread->post(work);
  return true;
}

}  // namespace eagre::autograd
