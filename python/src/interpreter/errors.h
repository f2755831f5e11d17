// Exceptions across the border, both ways: every C++ exception becomes a Python one, and a Python
// exception raised in a hook passes through C++ unchanged.
#pragma once

#include <cxxabi.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include <eagre/base/error.h>
#include <eagre/base/export.h>

#include "interpreter/held.h"

namespace eagre::python {

// Adds eagre.Error and one class per ErrorKind to the module. False with a Python error set.
bool add_exceptions(PyObject* module);

// Mistakes that only calls from Python can hold, with classes of their own: arguments that a
// signature has no place for, or lacks; indices that are none; integers that C++ has no type for.
enum class PythonErrorKind : uint8_t { kSignature, kIndexType, kOverflow };
[[noreturn]] EAGRE_COLD void raise(PythonErrorKind kind, const std::string& message);

// A Python exception on its way through C++.
class PythonError : public std::exception {
 public:
  // Takes the exception that is set in this thread.
  static PythonError take();
  // Sets it again; with the GIL held.
  void restore() const;
  // A line below its text in tracebacks; with the GIL held.
  void add_note(const std::string& note) const;
  const char* what() const noexcept override { return "a Python exception"; }

 private:
  explicit PythonError(PyObject* exception) : held_(std::make_shared<Held>(exception)) {}
  std::shared_ptr<Held> held_;
};

// Inside catch (...): sets the Python exception that fits.
void set_python_error() noexcept;

// The result of a C API call that must not be null.
inline PyObject* checked(PyObject* result) {
  if (result == nullptr) throw PythonError::take();
  return result;
}

// For messages: "None", or the name of the type.
std::string describe_type(PyObject* object);

// Runs f, whose exceptions become Python's and its result `failed`. The end of a thread is none;
// see Note [Threads at exit].
template <class F, class Result>
Result guarded_or(F&& f, Result failed) {
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    set_python_error();
    return failed;
  }
}

template <class F>
PyObject* guarded(F&& f) {
  return guarded_or<F, PyObject*>(std::forward<F>(f), nullptr);
}

// For slots that return a number, -1 on errors.
template <class F>
auto guarded_number(F&& f) -> decltype(f()) {
  return guarded_or<F, decltype(f())>(std::forward<F>(f), -1);
}

// Warnings of the library go to Python's `warnings`; one that the user's filters make an error
// becomes that exception.
void warn_in_python(const std::string& message);

// In the main thread: runs the handlers of signals that came; what they raise (KeyboardInterrupt)
// is thrown. With or without the GIL.
void raise_pending_signals();

}  // namespace eagre::python
