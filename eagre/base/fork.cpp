// The list of locks, and what happens to them around fork().
#include <eagre/base/fork.h>

#include <pthread.h>

#include <cstddef>
#include <mutex>

namespace eagre {

struct ForkHandlers {
  static constexpr size_t kMaxFunctions = 8;

  std::mutex mutex;  // of this list; outermost
  ForkMutex* locks = nullptr;
  void (*functions[kMaxFunctions])() = {};

  ForkHandlers() { pthread_atfork(&before, &in_parent, &in_child); }

  // Never destroyed: a process may fork while it ends.
  static ForkHandlers& get() {
    static ForkHandlers& instance = *new ForkHandlers;
    return instance;
  }

  void add(ForkMutex& lock) {
    std::lock_guard hold(mutex);
    lock.next_ = locks;
    locks = &lock;
  }

  template <class F>
  void each(ForkMutex::Order order, F f) {
    for (ForkMutex* lock = locks; lock != nullptr; lock = lock->next_) {
      if (lock->order_ == order) f(lock->mutex_);
    }
  }

  static void before() {
    ForkHandlers& all = get();
    all.mutex.lock();
    for (auto order : {ForkMutex::Order::kOuter, ForkMutex::Order::kInner}) {
      all.each(order, [](std::mutex& lock) { lock.lock(); });
    }
  }
  static void in_parent() {
    ForkHandlers& all = get();
    for (auto order : {ForkMutex::Order::kInner, ForkMutex::Order::kOuter}) {
      all.each(order, [](std::mutex& lock) { lock.unlock(); });
    }
    all.mutex.unlock();
  }
  static void in_child() {
    in_parent();
    for (auto* function : get().functions) {
      if (function != nullptr) function();
    }
  }
};

ForkMutex::ForkMutex(Order order) : order_(order) { ForkHandlers::get().add(*this); }

void at_fork_in_child(void (*function)()) {
  ForkHandlers& all = ForkHandlers::get();
  std::lock_guard hold(all.mutex);
  for (auto*& place : all.functions) {
    if (place == function) return;
    if (place == nullptr) {
      place = function;
      return;
    }
  }
}

}  // namespace eagre
