// Ctrl-C during long work: a binding says here how to ask whether the user wants to
// stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include <eagre/base/export.h>

namespace eagre {

// Throws what the user should see if the work must stop. Called now and then by the thread that
// called an operator, never by workers.
using InterruptCheck = void (*)();
EAGRE_API InterruptCheck set_interrupt_check(InterruptCheck check);

// Asks at a low rate: taking a language's lock is not cheap. Of each thread there is one, since an
// operator may be long that consists of many short steps.
class InterruptPoll {
 public:
  void poll() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    const bool is_first = next_ == Clock::time_point();
    next_ = now + kPause;
    if (!is_first) ask();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kPause = std::chrono::milliseconds(50);

  EAGRE_API static void ask();
  Clock::time_point next_;
};

// Between the chunks of shared work.
EAGRE_API void poll_between_steps();
// For kernels whose single step may be long: asks after about a million units of work. Workers stop
// here, by an exception, when another thread's part of the same work has failed.
EAGRE_API void poll_interrupt(int64_t work);
// What this thread works for has failed when the flag is true. Returns the flag before.
const std::atomic<bool>* watch_failure(const std::atomic<bool>* failed);
// Said once by every thread of the library itself.
void mark_worker_thread();

}  // namespace eagre
