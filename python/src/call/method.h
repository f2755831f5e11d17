// Functions with a signature as entries of method tables.
#pragma once

#include "call/arguments.h"
#include "call/overrides.h"
#include "interpreter/errors.h"

namespace eagre::python {

using BoundFunction = PyObject* (*)(const Arguments&);

// Whether __torch_function__ sees the calls of a function.
enum class Overridable : bool { kNo, kYes };

// A METH_FASTCALL function that binds its arguments and calls kRun.
template <const Signature& kSignature, BoundFunction kRun, bool kIsMethod = true,
          Overridable kOverridable = Overridable::kYes>
PyObject* bind_and_call(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if constexpr (kOverridable == Overridable::kYes) {
    if (call_is_taken_over<false>(kIsMethod ? self : nullptr, args, count, names)) [[unlikely]] {
      if (kIsMethod) return override_method(kSignature.op, self, args, count, names);
      if (is_public_function(kSignature.op)) {
        return override_function(kSignature.op, args, count, names);
      }
    }
  }
  return guarded(
      [&] { return kRun(Arguments(kSignature, kIsMethod ? self : nullptr, args, count, names)); });
}

inline PyMethodDef method(const char* name, _PyCFunctionFastWithKeywords function,
                          const char* doc) noexcept {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_FASTCALL | METH_KEYWORDS, doc};
}

template <const Signature& kSignature, BoundFunction kRun, bool kIsMethod = true,
          Overridable kOverridable = Overridable::kYes>
PyMethodDef with_keywords(const char* name, const char* doc) noexcept {
  return method(name, bind_and_call<kSignature, kRun, kIsMethod, kOverridable>, doc);
}

// Methods of Tensor without arguments, or with one.
template <PyCFunction kRun>
PyObject* call_plain(PyObject* self, PyObject* argument) {
  if (takes_over(self) || (argument != nullptr && takes_over(argument)) || modes_take_over())
      [[unlikely]] {
    return override_method(name_of_method(call_plain<kRun>), self, &argument,
                           argument == nullptr ? 0 : 1, nullptr);
  }
  return kRun(self, argument);
}

template <PyCFunction kRun>
PyMethodDef without_arguments(const char* name, const char* doc) noexcept {
  return {name, call_plain<kRun>, METH_NOARGS, doc};
}
template <PyCFunction kRun>
PyMethodDef with_argument(const char* name, const char* doc) noexcept {
  return {name, call_plain<kRun>, METH_O, doc};
}

}  // namespace eagre::python
