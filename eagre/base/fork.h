// Locks that survive fork(): the child of a process with many threads gets them free.
#pragma once

#include <mutex>

#include <eagre/base/export.h>

namespace eagre {

// For locks of the whole process, which are never destroyed. While fork() runs, the forking thread
// holds them all, so that no other thread is in the middle of a change that the child would keep
// for ever. A thread that holds an inner lock takes no other one.
class EAGRE_API ForkMutex {
 public:
  enum class Order : unsigned char { kOuter, kInner };  // an outer lock is taken before inner ones

  explicit ForkMutex(Order order = Order::kInner);
  ForkMutex(const ForkMutex&) = delete;
  ForkMutex& operator=(const ForkMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  friend struct ForkHandlers;

  std::mutex mutex_;
  const Order order_;
  ForkMutex* next_ = nullptr;
};

// Calls a function that makes something on first use when the library is loaded: a thread that
// forks while another one is in the middle of a first use would leave the child waiting for its
// end.
struct MadeAtLoad {
  template <class F>
  explicit MadeAtLoad(const F& first_use) {
    first_use();
  }
};

// Runs in the child after each fork(), before anything else of the library. At most 8 of them.
EAGRE_API void at_fork_in_child(void (*function)());

}  // namespace eagre
