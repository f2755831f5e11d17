// Holding and letting go of the interpreter's lock.
//
// Note [Threads at exit]
// When the interpreter ends while another thread has let go of the lock, CPython ends that thread
// at the moment it asks for the lock again: by pthread_exit, which unwinds the stack like an
// exception. Our destructors would then touch Python without the lock. So wherever this can happen
// below our frames, the thread is put to sleep instead; the end of the process takes it along.
#pragma once

#include <cxxabi.h>
#include <unistd.h>

#include "object.h"

namespace eagre::python {

// f(), which may ask for the lock. See Note [Threads at exit]. (There is no object behind the
// reference that is caught, which a sanitizer would complain about.)
template <class F>
__attribute__((no_sanitize("null"))) auto returning_or_asleep(F&& f) {
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    while (true) pause();
  }
}

// For long work. Nothing of Python may be touched in its scope.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() {
    returning_or_asleep([&] { PyEval_RestoreThread(state_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

// For callbacks into Python, from any thread.
class GilHeld {
 public:
  GilHeld() : state_(returning_or_asleep(PyGILState_Ensure)) {}
  ~GilHeld() { PyGILState_Release(state_); }
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace eagre::python
