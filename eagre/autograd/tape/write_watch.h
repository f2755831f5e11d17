// Looking at tensors before they are written in place, while their old values are still there.
#pragma once

#include <eagre/base/thread_state.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

class WriteWatcher {
 public:
  virtual ~WriteWatcher() = default;
  virtual void before_write(const TensorBase& tensor) = 0;
};

// While in scope, `watcher` sees the writes of this thread and of backward calls that it makes.
// Scopes nest; the innermost counts.
class EAGRE_API WriteWatchScope {
 public:
  explicit WriteWatchScope(WriteWatcher& watcher);
  ~WriteWatchScope();
  WriteWatchScope(const WriteWatchScope&) = delete;
  WriteWatchScope& operator=(const WriteWatchScope&) = delete;

 private:
  void* outer_;
};

EAGRE_API EAGRE_COLD void announce_write(const TensorBase& tensor);

// Before anything that writes to the memory of a tensor that others may know.
inline void before_write(const TensorBase& tensor) {
  if ((thread_state.modes.unusual & kWatchedWrites) != 0) [[unlikely]]
    announce_write(tensor);
}

}  // namespace eagre::autograd
