// The check for interrupts that a binding installed.
#include <eagre/base/interrupt.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

namespace eagre {
namespace {
std::atomic<InterruptCheck> installed{nullptr};

constexpr int64_t kWorkPerLook = 1 << 20;
constinit thread_local int64_t work_left __attribute__((tls_model("initial-exec"))) = kWorkPerLook;
constinit thread_local bool is_worker __attribute__((tls_model("initial-exec"))) = false;
constinit thread_local const std::atomic<bool>* failure __attribute__((tls_model("initial-exec"))) =
    nullptr;

// Never seen outside: the first problem is the one that is thrown.
struct OthersFailed : std::exception {};
}  // namespace

InterruptCheck set_interrupt_check(InterruptCheck check) { return installed.exchange(check); }

void InterruptPoll::ask() {
  if (InterruptCheck check = installed.load()) check();
}

void mark_worker_thread() { is_worker = true; }

const std::atomic<bool>* watch_failure(const std::atomic<bool>* failed) {
  return std::exchange(failure, failed);
}

void poll_between_steps() {
  if (failure != nullptr && failure->load(std::memory_order_relaxed)) throw OthersFailed();
  if (is_worker) return;
  static thread_local InterruptPoll poll;
  poll.poll();
}

void poll_interrupt(int64_t work) {
  work_left -= work;
  if (work_left > 0) return;
  work_left = kWorkPerLook;
  poll_between_steps();
}

}  // namespace eagre
