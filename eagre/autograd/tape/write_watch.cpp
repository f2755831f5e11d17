// Scopes that watch writes.
#include <eagre/autograd/tape/write_watch.h>

#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {
namespace {

void make_current(void* watcher) {
  thread_state.modes.write_watcher = watcher;
  if (watcher == nullptr) {
    thread_state.modes.unusual &= ~uint64_t{kWatchedWrites};
  } else {
    thread_state.modes.unusual |= kWatchedWrites;
  }
}

}  // namespace

WriteWatchScope::WriteWatchScope(WriteWatcher& watcher) : outer_(thread_state.modes.write_watcher) {
  make_current(&watcher);
}

WriteWatchScope::~WriteWatchScope() { make_current(outer_); }

void announce_write(const TensorBase& tensor) {
  // The watcher calls operators of its own: the write is still what is going on.
  const CallSite site = thread_state.site;
  static_cast<WriteWatcher*>(thread_state.modes.write_watcher)->before_write(tensor);
  thread_state.site = site;
}

}  // namespace eagre::autograd
