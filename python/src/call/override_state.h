// What a thread has said about __torch_function__: the modes it entered, and who is asked.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/object.h"

namespace eagre::python {

// How many modes are entered, in all threads. Guarded by the GIL.
extern size_t entered_modes;

enum class Asked : uint8_t { kAll, kModes, kNobody };
Asked asked_now();
void ask_only(Asked asked);
inline bool subclasses_are_disabled() { return asked_now() != Asked::kAll; }

// In its scope not everybody is asked.
class AskedScope {
 public:
  explicit AskedScope(Asked wanted);
  ~AskedScope() { ask_only(before_); }
  AskedScope(const AskedScope&) = delete;
  AskedScope& operator=(const AskedScope&) = delete;

 private:
  Asked before_;
};

// Is a mode of this thread asked?
bool mode_takes_over();
// The innermost is the last.
const std::vector<PyObject*>& modes_of_thread();
void enter_mode(PyObject* mode);
Ref leave_mode();

// In its scope the innermost mode of this thread is not entered.
class ModeLeft {
 public:
  ModeLeft() : mode_(leave_mode()) {}
  ~ModeLeft() { enter_mode(mode_.get()); }
  ModeLeft(const ModeLeft&) = delete;
  ModeLeft& operator=(const ModeLeft&) = delete;
  PyObject* mode() const { return mode_.get(); }

 private:
  Ref mode_;
};

}  // namespace eagre::python
