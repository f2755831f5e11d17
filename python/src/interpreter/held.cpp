// The list of Python objects that C++ gave up.
#include "interpreter/held.h"

#include <atomic>

#include "interpreter/compat.h"

namespace eagre::python {

std::atomic<HeldEntry*> released_entries{nullptr};

namespace {
int drop_as_pending_call(void*) {
  drop_released_slowly();
  return 0;
}
}  // namespace

void release_later(HeldEntry* entry) noexcept {
  HeldEntry* head = released_entries.load(std::memory_order_relaxed);
  do {
    entry->next = head;
  } while (!released_entries.compare_exchange_weak(head, entry, std::memory_order_release));
  // The first one asks the interpreter to come by, in case no tensor ends soon. After the end of
  // the interpreter nobody will, and nobody needs to.
  if (head == nullptr && Py_IsInitialized()) Py_AddPendingCall(drop_as_pending_call, nullptr);
}

// Dropping an object may end others and so come back here: the outermost call takes them all, or a
// long chain of arrays on tensors on arrays would need as much stack. Guarded by the GIL.
static bool dropping = false;

void drop_released_slowly() {
  if (dropping) return;
  dropping = true;
  // Destructors may run here while an exception is in flight.
  PyObject* in_flight = compat::take_raised();
  while (HeldEntry* entry = released_entries.exchange(nullptr, std::memory_order_acquire)) {
    while (entry != nullptr) {
      HeldEntry* next = entry->next;
      Py_DECREF(entry->object);
      delete entry;
      entry = next;
    }
  }
  dropping = false;
  if (in_flight != nullptr) compat::raise_again(in_flight);
}

}  // namespace eagre::python
