// The check that a language installed.
#include <eagre/base/interrupt.h>

#include <atomic>

namespace eagre {
namespace {
std::atomic<InterruptCheck> installed{nullptr};

constexpr int64_t kWorkPerLook = 1 << 20;
constinit thread_local int64_t work_left __attribute__((tls_model("initial-exec"))) = kWorkPerLook;
constinit thread_local bool is_worker __attribute__((tls_model("initial-exec"))) = false;
}  // namespace

InterruptCheck set_interrupt_check(InterruptCheck check) { return installed.exchange(check); }

void InterruptPoll::ask() {
  if (InterruptCheck check = installed.load()) check();
}

void mark_worker_thread() { is_worker = true; }

void poll_interrupt(int64_t work) {
  work_left -= work;
  if (work_left > 0 || is_worker) return;
  work_left = kWorkPerLook;
  static thread_local InterruptPoll poll;
  poll.poll();
}

}  // namespace eagre
