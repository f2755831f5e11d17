// What they mean, as in PyTorch: each is true unless given.
#include "call/old_reduction.h"

#include <algorithm>

#include <eagre/base/error.h>
#include <eagre/base/warn.h>

#include "interpreter/errors.h"

namespace eagre::python {
namespace {

// Where it is given; -1 if it is not.
Py_ssize_t place_in(PyObject* names, const char* wanted) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k) {
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, k), wanted) == 0) return k;
  }
  return -1;
}

bool is_true(PyObject* flag) {
  const int answer = flag == Py_None ? 1 : PyObject_IsTrue(flag);
  if (answer < 0) throw PythonError::take();
  return answer != 0;
}

}  // namespace

bool has_old_reduction(PyObject* names) {
  return place_in(names, "size_average") >= 0 || place_in(names, "reduce") >= 0;
}

bool bind_old_reduction(PyObject* const* args, PyObject* names, Py_ssize_t k,
                        PyObject*& reduction) {
  const Py_ssize_t size_average = place_in(names, "size_average");
  const Py_ssize_t reduce = place_in(names, "reduce");
  if (k != size_average && k != reduce) return false;
  if (k != (size_average < 0 || reduce < 0 ? k : std::min(size_average, reduce))) return true;
  PyObject* const averages = size_average < 0 ? Py_None : args[size_average];
  PyObject* const reduces = reduce < 0 ? Py_None : args[reduce];
  if (averages == Py_None && reduces == Py_None) return true;
  static PyObject* const texts[] = {checked(PyUnicode_InternFromString("none")),
                                    checked(PyUnicode_InternFromString("sum")),
                                    checked(PyUnicode_InternFromString("mean"))};
  reduction = texts[!is_true(reduces) ? 0 : is_true(averages) ? 2 : 1];
  warn(concat("size_average and reduce args will be deprecated, please use reduction='",
              PyUnicode_AsUTF8(reduction), "' instead."));
  return true;
}

}  // namespace eagre::python
