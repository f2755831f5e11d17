// Functions with a signature as entries of method tables.
#pragma once

#include "arguments.h"
#include "errors.h"

namespace eagre::python {

using BoundFunction = PyObject* (*)(const Arguments&);

// A METH_FASTCALL function that binds its arguments and calls kRun.
template <const Signature& kSignature, BoundFunction kRun, bool kIsMethod = true>
PyObject* bind_and_call(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return guarded(
      [&] { return kRun(Arguments(kSignature, kIsMethod ? self : nullptr, args, count, names)); });
}

inline PyMethodDef method(const char* name, _PyCFunctionFastWithKeywords function,
                          const char* doc) noexcept {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_FASTCALL | METH_KEYWORDS, doc};
}

template <const Signature& kSignature, BoundFunction kRun, bool kIsMethod = true>
PyMethodDef with_keywords(const char* name, const char* doc) noexcept {
  return method(name, bind_and_call<kSignature, kRun, kIsMethod>, doc);
}

}  // namespace eagre::python
