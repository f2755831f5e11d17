// The list of Python objects that C++ gave up.
#include "held.h"

#include "compat.h"

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

void drop_released_slowly() {
  HeldEntry* entry = released_entries.exchange(nullptr, std::memory_order_acquire);
  if (entry == nullptr) return;
  // Destructors may run here while an exception is in flight.
  PyObject* in_flight = compat::take_raised();
  while (entry != nullptr) {
    HeldEntry* next = entry->next;
    Py_DECREF(entry->object);
    delete entry;
    entry = next;
  }
  if (in_flight != nullptr) compat::raise_again(in_flight);
}

}  // namespace eagre::python
