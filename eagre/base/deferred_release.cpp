// The list of objects that wait for destruction.
#include <eagre/base/deferred_release.h>

#include <atomic>

#include <eagre/base/thread_state.h>

namespace eagre {

void Releasable::release_later(Releasable* object) noexcept {
  ThreadState& state = thread_state;
  if (state.destroying) {
    object->link_.store(state.dead, std::memory_order_relaxed);
    state.dead = object;
    return;
  }
  state.destroying = true;
  while (true) {
    delete object;
    object = state.dead;
    if (object == nullptr) break;
    state.dead = static_cast<Releasable*>(object->link_.load(std::memory_order_relaxed));
  }
  state.destroying = false;
}

}  // namespace eagre
