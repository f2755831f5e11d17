// Calls that come back as they were handed on: a class of another library runs every function that
// its __torch_function__ is asked about, and so asks us about ours, and we it about its own.
#pragma once

#include "interpreter/object.h"

namespace eagre::python {

// A call that somebody is asked about, as long as this object lives. They form a list per thread
// and purpose, whose first is the innermost.
class AskedCall {
 public:
  using List = const AskedCall*;

  // A tuple and a dict, or null without any names.
  AskedCall(List& list, PyObject* function, PyObject* args, PyObject* names);
  ~AskedCall() { list_ = outer_; }
  AskedCall(const AskedCall&) = delete;
  AskedCall& operator=(const AskedCall&) = delete;

  // Is it one of the list: the same function with the very same arguments?
  static bool contains(List list, PyObject* function, PyObject* args, PyObject* names);

 private:
  bool is(PyObject* function, PyObject* args, PyObject* names) const;

  PyObject *function_, *args_, *names_;  // borrowed
  List& list_;
  List outer_;
};

// A function of ours was given a tensor of another library, and one of theirs a tensor of ours: an
// error that says how to convert them.
[[noreturn]] void refuse_foreign_tensor(PyObject* function, PyObject* foreign);
[[noreturn]] void refuse_foreign_function(PyObject* function);

}  // namespace eagre::python
