// Python objects that C++ owns: hooks, memory of arrays, exceptions on their way. They end wherever
// the C++ object ends, perhaps in a thread without the GIL and in the middle of a destructor, so
// their reference is not dropped there but put on a list, which whoever holds the GIL empties.
#pragma once

#include <atomic>

#include "interpreter/object.h"

namespace eagre::python {

struct HeldEntry {
  PyObject* object;
  HeldEntry* next;
};

// Any thread, no GIL needed.
void release_later(HeldEntry* entry) noexcept;

extern std::atomic<HeldEntry*> released_entries;
void drop_released_slowly();
// With the GIL held, and where any Python code may run.
inline void drop_released() {
  if (released_entries.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
    drop_released_slowly();
  }
}

class Held {
 public:
  // With the GIL held; adds a reference.
  explicit Held(PyObject* object) : entry_(new HeldEntry{Py_NewRef(object), nullptr}) {}
  Held(Held&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  Held& operator=(Held&&) = delete;
  ~Held() {
    if (entry_ != nullptr) release_later(entry_);
  }

  PyObject* get() const { return entry_->object; }
  // For C++ that wants a function and a context: release_later is the function.
  HeldEntry* give() { return std::exchange(entry_, nullptr); }

 private:
  HeldEntry* entry_;
};

}  // namespace eagre::python
