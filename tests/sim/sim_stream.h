// The pretend device's streams, which are threads that work through a queue, and its events.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace eagre::sim {

// Work that is put on a stream while this is not 0 waits so long before it runs.
inline std::atomic<int64_t> delay_microseconds{0};

// Work that is put on a stream while the gate is shut stays there until the gate is opened.
class Gate {
 public:
  void set_shut(bool shut) {
    std::lock_guard lock(mutex_);
    shut_ = shut;
  }
  void open() {
    {
      std::lock_guard lock(mutex_);
      shut_ = false;
      ++round_;
    }
    opened_.notify_all();
  }
  // A ticket for new work: 0 may pass at once.
  int64_t ticket() {
    std::lock_guard lock(mutex_);
    return shut_ ? round_ : 0;
  }
  void pass(int64_t ticket) {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return ticket < round_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool shut_ = false;
  int64_t round_ = 1;
};
// Never destroyed, as the streams.
inline Gate& gate() {
  static Gate& instance = *new Gate;
  return instance;
}

// Work in order, on a thread of its own. The first error sticks.
class Stream {
 public:
  Stream() : thread_([this] { run(); }) {}
  ~Stream() {
    {
      std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void push(std::function<int32_t()> work) {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back({std::move(work), delay_microseconds.load(), gate().ticket()});
    }
    changed_.notify_all();
  }
  int32_t synchronize() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return queue_.empty(); });
    return error_;
  }
  int32_t error() {
    std::lock_guard lock(mutex_);
    return error_;
  }
  // Would work that is put there now begin at once?
  bool is_idle() {
    std::lock_guard lock(mutex_);
    return queue_.empty() && gate().ticket() == 0 && delay_microseconds.load() == 0;
  }
  void forgive() {
    std::lock_guard lock(mutex_);
    error_ = 0;
  }

 private:
  struct Work {
    std::function<int32_t()> run;
    int64_t delay;
    int64_t ticket;
  };

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ends_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const Work& work = queue_.front();  // stays in its place while others are added
      lock.unlock();
      gate().pass(work.ticket);
      if (work.delay != 0) std::this_thread::sleep_for(std::chrono::microseconds(work.delay));
      const int32_t code = work.run();
      lock.lock();
      if (error_ == 0) error_ = code;
      queue_.pop_front();  // only now: an empty queue means that all is done
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> queue_;
  int32_t error_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

// Counts how often it was recorded and how often that was reached.
class Event {
 public:
  void record(Stream* stream) {
    std::unique_lock lock(state_->mutex);
    const int64_t number = ++state_->recorded;
    lock.unlock();
    const auto reach = [state = state_, stream, number]() -> int32_t {
      const int32_t code = stream->error();
      {
        std::lock_guard reached(state->mutex);
        state->done = number;
        state->code = code;
      }
      state->changed.notify_all();
      return 0;
    };
    // Nothing to wait for: reached now, so that a question about it has a certain answer.
    if (stream->is_idle()) {
      reach();
    } else {
      stream->push(reach);
    }
  }
  void hold_up(Stream* stream) {
    std::unique_lock lock(state_->mutex);
    const int64_t number = state_->recorded;
    lock.unlock();
    stream->push([state = state_, number] { return wait(*state, number); });
  }
  int32_t synchronize() {
    std::unique_lock lock(state_->mutex);
    const int64_t number = state_->recorded;
    lock.unlock();
    return wait(*state_, number);
  }
  bool is_done() {
    std::lock_guard lock(state_->mutex);
    return state_->done >= state_->recorded;
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    int64_t recorded = 0, done = 0;
    int32_t code = 0;  // of the stream when the event was reached
  };
  static int32_t wait(State& state, int64_t number) {
    std::unique_lock lock(state.mutex);
    state.changed.wait(lock, [&] { return state.done >= number; });
    return state.code;
  }
  // Work on streams outlives the event.
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace eagre::sim
