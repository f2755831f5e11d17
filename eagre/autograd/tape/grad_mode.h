// Whether operators record gradients in this thread, and whether they ever will of what they make.
#pragma once

#include <eagre/base/thread_state.h>
#include <eagre/core/tensor_impl.h>

namespace eagre {

struct GradMode {
  static bool is_enabled() { return thread_state.modes.grad_enabled; }
  // In inference mode nothing is recorded, whatever the grad mode.
  static void set_enabled(bool enabled) {
    thread_state.modes.grad_enabled = enabled && thread_state.modes.new_tensor_flags == 0;
  }
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

// In this scope tensors are made that can never be part of a graph ("inference tensors"), and
// nothing is recorded. With `false`: an ordinary scope inside of such a one.
class InferenceMode {
 public:
  static bool is_enabled() { return thread_state.modes.new_tensor_flags != 0; }
  static void set_enabled(bool enabled) {
    thread_state.modes.new_tensor_flags = enabled ? TensorImpl::kInference : 0;
    thread_state.modes.grad_enabled = !enabled;
  }

  explicit InferenceMode(bool enabled = true)
      : flags_before_(thread_state.modes.new_tensor_flags),
        grad_before_(thread_state.modes.grad_enabled) {
    set_enabled(enabled);
  }
  ~InferenceMode() {
    thread_state.modes.new_tensor_flags = flags_before_;
    thread_state.modes.grad_enabled = grad_before_;
  }
  InferenceMode(const InferenceMode&) = delete;
  InferenceMode& operator=(const InferenceMode&) = delete;

 private:
  uint16_t flags_before_;
  bool grad_before_;
};

}  // namespace eagre
