// The modes of each thread, and its switches.
#include "call/override_state.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <eagre/base/error.h>

#include "interpreter/object.h"

namespace eagre::python {

size_t entered_modes = 0;

namespace {

// Owned references; what a thread leaves behind when it ends is lost.
thread_local std::vector<PyObject*> modes;
thread_local Asked asked = Asked::kAll;

}  // namespace

Asked asked_now() { return asked; }
void ask_only(Asked wanted) { asked = wanted; }

AskedScope::AskedScope(Asked wanted) : before_(asked) { asked = std::max(asked, wanted); }

bool mode_takes_over() { return asked != Asked::kNobody && !modes.empty(); }

const std::vector<PyObject*>& modes_of_thread() { return modes; }

void enter_mode(PyObject* mode) {
  modes.push_back(Py_NewRef(mode));
  ++entered_modes;
}

Ref leave_mode() {
  EAGRE_CHECK(!modes.empty(), kInvalidArgument, "there is no mode to leave");
  Ref mode(modes.back());
  modes.pop_back();
  --entered_modes;
  return mode;
}

}  // namespace eagre::python
