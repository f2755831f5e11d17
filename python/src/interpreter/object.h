// Python.h, and an owned reference to a Python object.
#pragma once

#define PY_SSIZE_T_CLEAN  // NOLINT(readability-identifier-naming): CPython's name
#include <Python.h>       // IWYU pragma: export

#include <utility>

namespace eagre::python {

// Owns one reference. The GIL must be held wherever it is copied or destroyed; what may end in C++
// without the GIL is a Held (interpreter/held.h).
class Ref {
 public:
  Ref() = default;
  // Takes over a new reference, as most of the C API returns it.
  explicit Ref(PyObject* owned) : object_(owned) {}
  static Ref share(PyObject* borrowed) { return Ref(Py_XNewRef(borrowed)); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* give() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

}  // namespace eagre::python
