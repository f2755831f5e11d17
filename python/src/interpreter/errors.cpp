// The exception classes, and the translation.
#include "interpreter/errors.h"

#include <unistd.h>

#include <cstddef>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <eagre/base/error.h>

#include "interpreter/compat.h"
#include "interpreter/gil.h"
#include "interpreter/object.h"

namespace eagre::python {
namespace {

struct ErrorClass {
  ErrorKind kind;
  const char* name;  // with the module
  const char* doc;
  PyObject** builtin;  // the class that code written for plain Python expects
};

const ErrorClass kClasses[] = {
    {ErrorKind::kInvalidArgument, "eagre.InvalidArgumentError",
     "An argument whose value does not fit.", &PyExc_ValueError},
    {ErrorKind::kType, "eagre.DTypeError", "An argument of a type or dtype that does not fit.",
     &PyExc_TypeError},
    {ErrorKind::kIndex, "eagre.IndexOutOfRangeError", "A dimension or index that does not exist.",
     &PyExc_IndexError},
    {ErrorKind::kOutOfMemory, "eagre.OutOfMemoryError", "Memory of the host or a device ran out.",
     &PyExc_MemoryError},
    {ErrorKind::kNotFound, "eagre.NotFoundError", "A name that is not known.", &PyExc_LookupError},
    {ErrorKind::kUnimplemented, "eagre.UnimplementedError",
     "Something that this version does not do.", &PyExc_NotImplementedError},
    {ErrorKind::kAutograd, "eagre.AutogradError", "A gradient that cannot be computed.", nullptr},
    {ErrorKind::kDeviceLost, "eagre.DeviceLostError", "A device failed.", nullptr},
    {ErrorKind::kInternal, "eagre.InternalError", "A bug in Eagre.", nullptr},
    {ErrorKind::kLinearAlgebra, "eagre.LinAlgError",
     "A matrix that has no inverse, solution or factorization.", nullptr},
};
constexpr size_t kKinds = std::size(kClasses);

struct PythonErrorClass {
  const char* name;
  const char* doc;
  PyObject** builtins[2];
  std::optional<ErrorKind> kind = {};  // whose class it derives from, if not from Error alone
};
// By PythonErrorKind.
const PythonErrorClass kPythonClasses[] = {
    {"eagre.SignatureError",
     "Arguments that do not fit the signature: missing, unknown, too many.",
     {&PyExc_TypeError, nullptr}},
    {"eagre.IndexTypeError",
     "An index of a type that indexes nothing.",
     {&PyExc_IndexError, &PyExc_TypeError}},
    {"eagre.IntegerOverflowError",
     "An integer that does not fit in 64 bits.",
     {&PyExc_OverflowError, nullptr},
     ErrorKind::kInvalidArgument},
};

PyObject* python_classes[std::size(kPythonClasses)] = {};
PyObject* base_class = nullptr;
PyObject* classes[kKinds] = {};

void set_error(ErrorKind kind, const char* message) {
  PyErr_SetString(classes[static_cast<size_t>(kind)], message);
}

bool add_class(PyObject* module, const char* name, const char* doc, PyObject* bases,
               PyObject** place) {
  *place = PyErr_NewExceptionWithDoc(name, doc, bases, nullptr);
  if (*place == nullptr) return false;
  const char* short_name = name + sizeof("eagre.") - 1;
  return PyModule_AddObjectRef(module, short_name, *place) == 0;
}

}  // namespace

bool add_exceptions(PyObject* module) {
  if (!add_class(module, "eagre.Error", "Base of all errors of Eagre.", PyExc_RuntimeError,
                 &base_class)) {
    return false;
  }
  for (size_t i = 0; i < kKinds; ++i) {
    const ErrorClass& entry = kClasses[i];
    const Ref bases(entry.builtin == nullptr ? PyTuple_Pack(1, base_class)
                                             : PyTuple_Pack(2, base_class, *entry.builtin));
    PyObject** place = &classes[static_cast<size_t>(entry.kind)];
    if (!bases || !add_class(module, entry.name, entry.doc, bases.get(), place)) return false;
  }
  for (size_t i = 0; i < std::size(kPythonClasses); ++i) {
    const PythonErrorClass& entry = kPythonClasses[i];
    PyObject** const second = entry.builtins[1];
    PyObject* const first = entry.kind ? classes[static_cast<size_t>(*entry.kind)] : base_class;
    const Ref bases(second == nullptr ? PyTuple_Pack(2, first, *entry.builtins[0])
                                      : PyTuple_Pack(3, first, *entry.builtins[0], *second));
    if (!bases || !add_class(module, entry.name, entry.doc, bases.get(), &python_classes[i])) {
      return false;
    }
  }
  return true;
}

PythonError PythonError::take() {
  const Ref exception(compat::take_raised());
  if (!exception) throw Error(ErrorKind::kInternal, "a call failed without saying why");
  return PythonError(exception.get());
}

void raise(PythonErrorKind kind, const std::string& message) {
  PyErr_SetString(python_classes[static_cast<size_t>(kind)], message.c_str());
  throw PythonError::take();
}

void PythonError::restore() const { compat::raise_again(Py_NewRef(held_->get())); }

void PythonError::add_note(const std::string& note) const {
  const Ref done(PyObject_CallMethod(held_->get(), "add_note", "s", note.c_str()));
  if (!done) PyErr_Clear();  // the exception itself counts
}

void set_python_error() noexcept {
  try {
    throw;
  } catch (const PythonError& error) {
    error.restore();
  } catch (const Error& error) {
    set_error(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    set_error(ErrorKind::kOutOfMemory, "out of host memory");
  } catch (const std::invalid_argument& error) {  // these are thrown by operators of users
    set_error(ErrorKind::kInvalidArgument, error.what());
  } catch (const std::out_of_range& error) {
    set_error(ErrorKind::kIndex, error.what());
  } catch (const std::runtime_error& error) {
    PyErr_SetString(base_class, error.what());
  } catch (const std::exception& error) {
    PyErr_Format(classes[static_cast<size_t>(ErrorKind::kInternal)],
                 "bug in Eagre, please report it: %s", error.what());
  } catch (...) {
    set_error(ErrorKind::kInternal, "bug in Eagre, please report it: an unknown C++ exception");
  }
}

std::string describe_type(PyObject* object) {
  if (object == Py_None) return "None";
  const PyTypeObject* type = Py_TYPE(object);
  // "expected a Tensor, but got Tensor" would help nobody.
  const bool is_namesake = PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE) != 0 &&
                           std::string_view(type->tp_name) == "Tensor";
  const Ref module(is_namesake ? PyObject_GetAttrString(object, "__module__") : nullptr);
  const char* place =
      module && PyUnicode_Check(module.get()) ? PyUnicode_AsUTF8(module.get()) : nullptr;
  PyErr_Clear();
  return place == nullptr ? type->tp_name : concat(place, ".", type->tp_name);
}

void warn_in_python(const std::string& message) {
  GilHeld gil;
  if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) throw PythonError::take();
}

void raise_pending_signals() {
  if (gettid() != getpid()) return;  // Python handles signals in the main thread only
  GilHeld gil;
  if (PyErr_CheckSignals() != 0) throw PythonError::take();
}

}  // namespace eagre::python
