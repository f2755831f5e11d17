// What differs between CPython versions, or is only in internal headers: interpreter frames, small
// integers, finalizers, members of classes, the error in flight.
#pragma once

#include <opcode.h>

#include "interpreter/object.h"

// Frames without frame objects are only in the internal headers.
// Public macros that are functions in there would rename them.
#undef _PyGC_FINALIZED
#undef _PyObject_GC_IS_TRACKED
#undef _PyObject_GC_MAY_BE_TRACKED
#define Py_BUILD_CORE 1  // NOLINT(readability-identifier-naming): CPython's name
#include <internal/pycore_frame.h>
#include <internal/pycore_gc.h>
#undef Py_BUILD_CORE

namespace eagre::python::compat {

static_assert(PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030D0000,
              "frames are read by their layout, which is known for CPython 3.11 and 3.12");

using Frame = _PyInterpreterFrame;

// The frame that is running in this thread, which must hold the GIL; null outside of Python code.
inline const Frame* innermost_frame() { return PyThreadState_Get()->cframe->current_frame; }
inline const Frame* caller(const Frame* frame) { return frame->previous; }
inline PyCodeObject* code(const Frame* frame) { return frame->f_code; }
// The instruction in execution; its address is unique as long as the code object lives.
inline const void* instruction(const Frame* frame) { return frame->prev_instr; }
inline int instruction_offset(const Frame* frame) {
  return _PyInterpreterFrame_LASTI(frame) * static_cast<int>(sizeof(_Py_CODEUNIT));
}

// Some frames only mark where the interpreter was entered from C.
inline bool has_python_code(const Frame* frame) {
#if PY_VERSION_HEX >= 0x030C0000
  return frame->owner != FRAME_OWNED_BY_CSTACK;
#else
  static_cast<void>(frame);
  return true;
#endif
}

// Is it an operator like `+=` that runs? Its slots do not tell: they fall back to those of `+`.
inline bool runs_inplace_operator() {
  const Frame* frame = innermost_frame();
  if (frame == nullptr || !has_python_code(frame)) return false;
  // As the compiler wrote it: code in execution has other instructions for what it has seen.
  PyObject* bytes = PyCode_GetCode(code(frame));
  if (bytes == nullptr) {
    PyErr_Clear();
    return false;
  }
  const auto* text = reinterpret_cast<const unsigned char*>(PyBytes_AS_STRING(bytes));
  const int place = instruction_offset(frame);
  const bool found = place >= 0 && place + 1 < PyBytes_GET_SIZE(bytes) &&
                     text[place] == BINARY_OP && text[place + 1] >= NB_INPLACE_ADD;
  Py_DECREF(bytes);
  return found;
}

// An int of Python's own that its object holds in one digit, as most are.
inline bool small_integer(PyObject* object, int64_t& out) {
  if (!PyLong_CheckExact(object)) return false;
#if PY_VERSION_HEX >= 0x030C0000
  if (!PyUnstable_Long_IsCompact(reinterpret_cast<PyLongObject*>(object))) return false;
  out = PyUnstable_Long_CompactValue(reinterpret_cast<PyLongObject*>(object));
#else
  const Py_ssize_t digits = Py_SIZE(object);  // its sign is that of the number
  if (digits < -1 || digits > 1) return false;
  out = digits * static_cast<int64_t>(reinterpret_cast<PyLongObject*>(object)->ob_digit[0]);
#endif
  return true;
}

// Its finalizer may run once more: the object was brought back to life.
inline void may_finalize_again(PyObject* object) {
  _Py_AS_GC(object)->_gc_prev &= ~uintptr_t{_PyGC_PREV_MASK_FINALIZED};
}

// Takes the exception in flight, with its traceback, out of the interpreter; null if there is none.
inline PyObject* take_raised() {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (type == nullptr) return nullptr;
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value;
#endif
}

// The opposite; takes over the reference.
inline void raise_again(PyObject* exception) {
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(exception);
#else
  PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(exception))), exception,
                PyException_GetTraceback(exception));
#endif
}

// Does the collector look at this object, which is of a type that it knows?
inline bool is_tracked(PyObject* object) { return _Py_AS_GC(object)->_gc_next != 0; }

// Does the collection that runs now look at it? Only then it is asked what it refers to.
inline bool is_in_collection(PyObject* object) {
  return is_tracked(object) &&
         (_Py_AS_GC(object)->_gc_prev & uintptr_t{_PyGC_PREV_MASK_COLLECTING}) != 0;
}

// What __slots__ of a class added: Py_SIZE(type) members, which lie behind the class object.
inline PyMemberDef* members(PyTypeObject* type) {
  return reinterpret_cast<PyMemberDef*>(reinterpret_cast<char*>(type) +
                                        Py_TYPE(type)->tp_basicsize);
}

}  // namespace eagre::python::compat
