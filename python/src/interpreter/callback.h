// Calling a Python function from C++ that goes on afterwards.
#pragma once

#include <eagre/base/thread_state.h>

#include "interpreter/errors.h"
#include "interpreter/gil.h"

namespace eagre::python {

// With the GIL held. args[-1] may be overwritten during the call. The engine goes on with the call
// site of its node, not with that of the last operator that the function called.
inline Ref call_back(PyObject* function, PyObject* const* args, size_t count,
                     PyObject* names = nullptr) {
  struct KeepSite {
    CallSite site = thread_state.site;
    ~KeepSite() { thread_state.site = site; }
  } keep;
  return Ref(checked(AsleepAtExit().returned(
      PyObject_Vectorcall(function, args, count | PY_VECTORCALL_ARGUMENTS_OFFSET, names))));
}

}  // namespace eagre::python
