// Nested tuples, lists and dicts of values, taken apart and put together: every function of
// eagre.func does both several times a call. What python/eagre/_tree.py says of
// nodes holds here.
#include <eagre/base/error.h>

#include "call/tables.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"

namespace eagre::python {
namespace {

bool is_node(PyObject* value) {
  return PyTuple_Check(value) || PyList_Check(value) || PyDict_Check(value);
}

// As deep as Python's own stack may be.
class Depth {
 public:
  Depth() {
    if (Py_EnterRecursiveCall(" in a tree of values") != 0) throw PythonError::take();
  }
  ~Depth() { Py_LeaveRecursiveCall(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
};

Ref children(PyObject* node) {
  return Ref(checked(PyDict_Check(node) ? PyDict_Values(node) : PySequence_Tuple(node)));
}

void add_leaves(PyObject* tree, PyObject* list) {
  if (!is_node(tree)) {
    if (PyList_Append(list, tree) != 0) throw PythonError::take();
    return;
  }
  const Depth depth;
  const Ref items = children(tree);
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
  for (Py_ssize_t i = 0; i < count; ++i) add_leaves(PySequence_Fast_GET_ITEM(items.get(), i), list);
}

PyObject* leaves(PyObject*, PyObject* tree) {
  return guarded([&] {
    Ref list(checked(PyList_New(0)));
    add_leaves(tree, list.get());
    return list.give();
  });
}

PyObject* like = nullptr;  // tree.like(), for types that are not Python's own

Ref next_of(PyObject* values) {
  Ref value(PyIter_Next(values));
  if (!value) {
    if (PyErr_Occurred() != nullptr) throw PythonError::take();
    raise(ErrorKind::kInvalidArgument, "a tree of values has more leaves than there are values");
  }
  return value;
}

Ref rebuilt_node(PyObject* tree, PyObject* values) {
  if (!is_node(tree)) return next_of(values);
  const Depth depth;
  const Ref items = children(tree);
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
  Ref made(checked(PyTuple_New(count)));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyTuple_SET_ITEM(made.get(), i,
                     rebuilt_node(PySequence_Fast_GET_ITEM(items.get(), i), values).give());
  }
  if (PyTuple_CheckExact(tree)) return made;
  if (PyList_CheckExact(tree)) return Ref(checked(PySequence_List(made.get())));
  return Ref(checked(PyObject_CallFunctionObjArgs(like, tree, made.get(), nullptr)));
}

PyObject* rebuilt(PyObject*, PyObject* const* args, Py_ssize_t count) {
  return guarded([&] {
    EAGRE_CHECK(count == 2, kType, "rebuilt() takes a tree and values, but got ", count,
                " arguments");
    const Ref values(checked(PyObject_GetIter(args[1])));
    return rebuilt_node(args[0], values.get()).give();
  });
}

PyObject* set_like(PyObject*, PyObject* function) {
  Py_XSETREF(like, Py_NewRef(function));
  Py_RETURN_NONE;
}

}  // namespace

const PyMethodDef kTreeFunctions[] = {
    {"_tree_leaves", leaves, METH_O, "The values, from left to right."},
    {"_tree_rebuilt", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(rebuilt)),
     METH_FASTCALL, "The same structure with other values."},
    {"_set_tree_like", set_like, METH_O, nullptr},
    {}};

}  // namespace eagre::python
