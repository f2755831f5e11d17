// Running nodes in several threads and on several streams.
#include <eagre/autograd/engine/device_run.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/device_threads.h>
#include <eagre/autograd/engine/node_runner.h>
#include <eagre/autograd/engine/plan.h>
#include <eagre/autograd/engine/scheduler.h>
#include <eagre/autograd/engine/task_scope.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/blocking.h>
#include <eagre/base/error.h>
#include <eagre/base/interrupt.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/device.h>
#include <eagre/dispatch/stream.h>

namespace eagre::autograd {
namespace {

// Takes over the modes and streams of another thread, for a scope.
class ThreadStateScope {
 public:
  ThreadStateScope(const ThreadModes& modes, const CurrentStreams& streams, uint32_t depth)
      : modes_(thread_state.modes), streams_(CurrentStreams::of_this_thread()) {
    thread_state.modes = modes;
    thread_state.backward_depth = depth;
    streams.make_current();
  }
  ~ThreadStateScope() {
    thread_state.modes = modes_;
    thread_state.backward_depth = 0;
    thread_state.site = CallSite::none();
    streams_.make_current();
  }
  ThreadStateScope(const ThreadStateScope&) = delete;
  ThreadStateScope& operator=(const ThreadStateScope&) = delete;

 private:
  ThreadModes modes_;
  CurrentStreams streams_;
};

}  // namespace

Device device_of(const Node& node) {
  if (node.is_accumulate()) return static_cast<const AccumulateNode&>(node).leaf().key.device;
  for (size_t slot = 0; slot < node.slot_count(); ++slot) {
    const Device device = node.input_metadata(slot).device();
    if (is_accelerator(device)) return device;
  }
  return {};
}

DeviceRun::DeviceRun(GraphTask& task, Plan& plan, BackwardOptions options)
    : NodeRunner(plan, options),
      Scheduler(plan.take_sequence()),
      task_(task),
      modes_(thread_state.modes),
      streams_(CurrentStreams::of_this_thread()),
      depth_(thread_state.backward_depth),
      uses_device_threads_(device_thread_state().may_use_others()),
      ready_(plan.ready()) {
  if (uses_device_threads_) plan_arrivals();
}

// --- planning ---

void DeviceRun::plan_arrivals() {
  for (Node* node : plan_.running_nodes()) {
    for (uint32_t i = 0; i < node->edge_count(); ++i) {
      const Edge& edge = node->edges()[i];
      if (!plan_.wants(edge) || plan_.find_scratch(*edge.node)->dependencies < 2) continue;
      inboxes_[edge.node.get()].arrivals.push_back({node, i, false, TensorBase()});
    }
  }
  for (auto& [node, inbox] : inboxes_) {
    std::stable_sort(inbox.arrivals.begin(), inbox.arrivals.end(),
                     [](const Arrival& a, const Arrival& b) { return runs_later(b.from, a.from); });
  }
}

// Leaves have no stream of their own: they get their gradients on the caller's.
Stream DeviceRun::stream_of(const Node& node) const {
  const Device device = device_of(node);
  if (node.is_accumulate()) return streams_.of(device);
  for (size_t slot = 0; slot < node.slot_count(); ++slot) {
    const InputMetadata& meta = node.input_metadata(slot);
    if (meta.device() == device) return Stream::of_id(device, meta.stream());
  }
  return Stream::default_of({});
}

// --- gradients on their way; the lock is held ---

// What was made on this thread's stream is used on another one.
void DeviceRun::hand_over(const TensorBase& gradient, const Stream& to) {
  const Device device = gradient.device();
  if (!is_accelerator(device) || device != to.device()) return;
  const Stream from = current_stream(device);
  if (from == to) return;
  Event made;
  made.record(from);
  made.wait(to);
}

void DeviceRun::add(Node& from, uint32_t index, TensorBase& gradient) {
  if (!gradient.defined()) return;
  const Edge& edge = from.edges()[index];
  const StreamGuard on(stream_of(*edge.node));
  current_ = &from;
  receive(edge, *plan_.find_scratch(*edge.node), gradient, &from, index);
}

void DeviceRun::deliver(Node& from, uint32_t index, TensorBase& gradient) {
  Node& next = *from.edges()[index].node;
  if (gradient.defined()) hand_over(gradient, stream_of(next));
  if (const auto found = inboxes_.find(&next); found == inboxes_.end()) {
    add(from, index, gradient);
  } else {
    auto& [arrivals, summed] = found->second;
    auto place = std::lower_bound(
        arrivals.begin() + static_cast<std::ptrdiff_t>(summed), arrivals.end(), &from,
        [](const Arrival& a, const Node* node) { return runs_later(node, a.from); });
    const auto is_it = [&](const Arrival& a) { return a.from == &from && a.index == index; };
    place = std::find_if(place, arrivals.end(), is_it);
    EAGRE_INTERNAL_CHECK(place != arrivals.end());
    place->is_here = true;
    place->gradient = std::move(gradient);
    for (; summed < arrivals.size() && arrivals[summed].is_here; ++summed) {
      Arrival& arrival = arrivals[summed];
      TensorBase next_one = std::move(arrival.gradient);
      add(*arrival.from, arrival.index, next_one);
    }
  }
  arrive(next, waiting(next));
}

void DeviceRun::make_ready(Node& node) {
  const Device device = device_of(node);
  if (uses_device_threads_ && is_accelerator(device)) {
    const auto run = [](void* self, Node& work) {
      static_cast<DeviceRun*>(self)->run_in_device_thread(work);
    };
    ++in_device_threads_;
    if (post_to_device_thread(device, {run, this, &node, depth_})) return;
    --in_device_threads_;  // no thread for it: it runs here
  }
  ready_.push(node);
  progress_.notify_all();
}

void DeviceRun::fail(std::exception_ptr problem) {
  if (!problem_) problem_ = std::move(problem);
  ready_.clear();
}

// --- nodes ---

void DeviceRun::run_node(Node& node) {
  const Stream stream = stream_of(node);
  const StreamGuard on(stream);
  std::vector<TensorBase> gradients(node.slot_count()), results(node.edge_count());
  uint64_t wanted = 0;
  auto& scratch = *plan_.find_scratch(node);
  for (uint32_t slot = 0; slot < gradients.size(); ++slot) {
    gradients[slot] = std::move(plan_.gradient(node, scratch, slot));
  }
  const bool has_run = apply_node<true>(node, scratch, {gradients.data(), results.data()}, wanted);
  std::lock_guard lock(mutex_);
  if (std::find(used_streams_.begin(), used_streams_.end(), stream) == used_streams_.end()) {
    used_streams_.push_back(stream);
  }
  if (!has_run || problem_) return;
  for (uint32_t i = 0; i < results.size(); ++i) {
    if (plan_.wants(node.edges()[i])) deliver(node, i, results[i]);
  }
  finish_in_sequence(node);
}

void DeviceRun::run_and_keep_error(Node& node) noexcept {
  try {
    try {
      run_node(node);
    } catch (const std::exception&) {
      rethrow_with_place(node);
    }
  } catch (...) {
    std::lock_guard lock(mutex_);
    fail(std::current_exception());
  }
}

void DeviceRun::run_in_device_thread(Node& node) noexcept {
  {
    const ThreadStateScope caller(modes_, streams_, depth_);
    Node* const current = &node;
    const TaskScope scope(task_, &current);
    bool goes_on = false;
    {
      std::lock_guard lock(mutex_);
      goes_on = !problem_;
    }
    if (goes_on) run_and_keep_error(node);
  }
  std::lock_guard lock(mutex_);
  --in_device_threads_;
  progress_.notify_all();  // with the lock held: the caller may end this object right after
}

void DeviceRun::start_roots() {
  for (auto& root : plan_.roots()) {
    Node& node = *root.edge.node;
    current_ = &node;
    const Stream stream = stream_of(node);
    hand_over(root.gradient, stream);
    const StreamGuard on(stream);
    receive(root.edge, *plan_.find_scratch(node), root.gradient, nullptr, 0);
  }
  start(plan_.roots());
}

void DeviceRun::wait_for_device_threads(std::unique_lock<std::mutex>& lock) {
  constexpr auto kPause = std::chrono::milliseconds(50);
  constexpr int64_t kLookNow = int64_t{1} << 20;
  const auto over = [&] { return in_device_threads_ == 0 || !ready_.empty(); };
  if (progress_.wait_for(lock, kPause, over) || problem_) return;
  lock.unlock();
  std::exception_ptr stop;
  try {
    poll_interrupt(kLookNow);
  } catch (...) {
    stop = std::current_exception();
  }
  lock.lock();
  if (stop) fail(stop);
}

// The caller goes on with the gradients on its own streams.
void DeviceRun::join_streams() {
  for (const Stream& stream : used_streams_) {
    const Stream callers = streams_.of(stream.device());
    if (!is_accelerator(stream.device()) || stream == callers) continue;
    Event done;
    done.record(stream);
    done.wait(callers);
  }
}

bool DeviceRun::has_work() {
  if (in_device_threads_ == 0 && ready_.empty() && !problem_) free_stuck();
  return in_device_threads_ != 0 || !ready_.empty();
}

void DeviceRun::run() {
  const BlockingSection device_threads_may_need_the_interpreter;
  {
    std::unique_lock lock(mutex_);
    try {
      try {
        start_roots();
      } catch (const std::exception&) {
        rethrow_with_place(*current_);
      }
    } catch (...) {
      fail(std::current_exception());
    }
    while (has_work()) {
      if (ready_.empty()) {
        wait_for_device_threads(lock);
        continue;
      }
      Node* const node = &ready_.pop();
      lock.unlock();
      const TaskScope scope(task_, &node);
      run_and_keep_error(*node);
      lock.lock();
    }
  }
  if (problem_) std::rethrow_exception(problem_);
  join_streams();
}

}  // namespace eagre::autograd
