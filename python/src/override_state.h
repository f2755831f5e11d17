// What a thread has said about __torch_function__: the modes it entered, and whether classes are
// asked.
#pragma once

#include "object.h"

namespace eagre::python {

bool subclasses_are_disabled();

// In its scope the innermost mode of this thread is not entered.
class ModeLeft {
 public:
  ModeLeft();
  ~ModeLeft();
  ModeLeft(const ModeLeft&) = delete;
  ModeLeft& operator=(const ModeLeft&) = delete;
  PyObject* mode() const { return mode_.get(); }

 private:
  Ref mode_;
};

// The function that classes name to say that they do not take over calls; borrowed.
PyObject* disabled_torch_function();

}  // namespace eagre::python
