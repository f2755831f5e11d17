// The check that a language installed.
#include <eagre/base/interrupt.h>

#include <atomic>

namespace eagre {
namespace {
std::atomic<InterruptCheck> installed{nullptr};
}

InterruptCheck set_interrupt_check(InterruptCheck check) { return installed.exchange(check); }

void InterruptPoll::ask() {
  if (InterruptCheck check = installed.load()) check();
}

}  // namespace eagre
