// Holding and letting go of the interpreter's lock.
//
// Note [Threads at exit]
// When the interpreter ends while another thread has let go of the lock, CPython ends that thread
// when it asks for the lock again: by pthread_exit, which unwinds the stack like an exception. Our
// destructors would then touch Python without the lock, and a little later the interpreter's own
// structures are gone. So the thread is put to sleep instead: before it asks if we can tell, else
// when the unwinding reaches us. The end of the process takes it along.
#pragma once

#include <unistd.h>

#include "interpreter/object.h"

namespace eagre::python {

// In scope while CPython may end the thread: the scope is left by return, or never. No C++
// exception comes out of CPython.
class AsleepAtExit {
 public:
  AsleepAtExit() {
    const bool is_over = _Py_IsFinalizing() != 0 || Py_IsInitialized() == 0;
    while (is_over && gettid() != getpid()) pause();  // the main thread is the one that ends it
  }
  ~AsleepAtExit() {
    while (!returned_) pause();
  }
  template <class T>
  T returned(T result) {
    returned_ = true;
    return result;
  }

 private:
  bool returned_ = false;
};

// For long work. Nothing of Python may be touched in its scope.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  // noexcept(false), or unwinding would stop the process here before it reaches `scope`.
  ~GilReleased() noexcept(false) {  // NOLINT
    AsleepAtExit scope;
    PyEval_RestoreThread(state_);
    scope.returned(true);
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

// For callbacks into Python, from any thread.
class GilHeld {
 public:
  GilHeld() : state_(AsleepAtExit().returned(PyGILState_Ensure())) {}
  ~GilHeld() { PyGILState_Release(state_); }
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace eagre::python
