// Settings and statistics of the CPU runtime.
#include <eagre/base/thread_pool.h>

#include "functions.h"
#include "method.h"

namespace eagre::python {
namespace {

constexpr Parameter kCountParameters[] = {{"count"}};
constexpr Signature kSetNumThreads{"set_num_threads", kCountParameters, 1};
PyObject* change_num_threads(const Arguments& a) {
  set_num_threads(a.integer(0));
  Py_RETURN_NONE;
}
PyObject* num_threads(PyObject*, PyObject*) {
  return guarded([] { return PyLong_FromLong(get_num_threads()); });
}

}  // namespace

const PyMethodDef kRuntimeFunctions[] = {
    with_keywords<kSetNumThreads, change_num_threads, false>(
        "set_num_threads",
        "set_num_threads(count): how many threads an operator may use on the CPU"),
    {"get_num_threads", num_threads, METH_NOARGS,
     "get_num_threads(): how many threads an operator may use on the CPU"},
    {}};

}  // namespace eagre::python
