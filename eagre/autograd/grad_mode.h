// Whether operators record gradients in this thread.
#pragma once

#include <eagre/base/thread_state.h>

namespace eagre {

struct GradMode {
  static bool is_enabled() { return thread_state.modes.grad_enabled; }
  static void set_enabled(bool enabled) { thread_state.modes.grad_enabled = enabled; }
};

// Sets the mode for a scope.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool enabled) : before_(GradMode::is_enabled()) {
    GradMode::set_enabled(enabled);
  }
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool before_;
};

struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};

}  // namespace eagre
