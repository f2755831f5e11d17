// The list of tensors with state, and the look through what they lead to.
#include "lifetime/hidden_tensors.h"

#include <cstddef>
#include <new>
#include <unordered_set>
#include <vector>

#include "interpreter/compat.h"
#include "interpreter/object.h"
#include "lifetime/attributes.h"
#include "lifetime/graph_traverse.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// Under the GIL.
std::unordered_set<PyTensor*>& listed() {
  static auto& instance = *new std::unordered_set<PyTensor*>;
  return instance;
}

class Search {
 public:
  // What is further away than so many objects stays as it is.
  explicit Search(size_t most) : most_(most) {}

  void from_listed() {
    for (PyTensor* start : listed()) {
      traverse_attributes(reinterpret_cast<PyObject*>(start), meet, this);
      traverse_node_of(start->tensor.get(), meet, this);
    }
    run();
  }
  void from(PyObject* object) {
    meet(object, this);
    run();
  }

 private:
  void run() {
    while (!pending_.empty()) {
      PyObject* object = pending_.back();
      pending_.pop_back();
      see_behind(object);
    }
  }

  static int meet(PyObject* object, void* search) {
    auto& self = *static_cast<Search*>(search);
    if (object == nullptr || self.met_.size() >= self.most_ || !PyObject_IS_GC(object)) return 0;
    // Classes and modules lead to the whole program, and to no tensor that is garbage.
    if (PyType_Check(object) || PyModule_Check(object)) return 0;
    if (self.met_.insert(object).second) self.pending_.push_back(object);
    return 0;
  }

  void see_behind(PyObject* object) {
    if (is_tensor(object)) {
      if (tensor_of(object).defined() && tensor_of(object).get().grad_node != nullptr &&
          !compat::is_tracked(object)) {
        PyObject_GC_Track(object);
      }
    } else if (PyFunction_Check(object)) {  // but not its globals
      const auto* function = reinterpret_cast<PyFunctionObject*>(object);
      meet(function->func_closure, this);
      meet(function->func_defaults, this);
      meet(function->func_kwdefaults, this);
      meet(function->func_dict, this);
    } else if (traverseproc traverse = Py_TYPE(object)->tp_traverse) {
      traverse(object, meet, this);
    }
  }

  size_t most_;
  std::unordered_set<PyObject*> met_;
  std::vector<PyObject*> pending_;
};

bool runs_full_collection = false;

// In gc.callbacks: (phase, info).
PyObject* collection_begins(PyObject*, PyObject* args) {
  const char* phase = nullptr;
  PyObject* info = nullptr;
  if (PyArg_ParseTuple(args, "sO", &phase, &info) == 0) return nullptr;
  forget_reported();
  PyObject* generation = PyDict_Check(info) ? PyDict_GetItemString(info, "generation") : nullptr;
  const bool is_full = generation != nullptr && PyLong_AsLong(generation) == 2;
  runs_full_collection = is_full && phase[2] == 'a';  // "start", not "stop"
  if (runs_full_collection) {
    try {
      Search(20000).from_listed();
    } catch (const std::bad_alloc&) {  // NOLINT: then it is not for this time
    }
  }
  Py_RETURN_NONE;
}

PyMethodDef callback = {"_collection_begins", collection_begins, METH_VARARGS, nullptr};

}  // namespace

bool is_full_collection() { return runs_full_collection; }

// Without it cycles live on, as they do if the program takes it away.
void listen_to_collector() {
  static bool listens = false;
  if (listens) return;
  listens = true;
  const Ref gc(PyImport_ImportModule("gc"));
  const Ref callbacks(gc ? PyObject_GetAttrString(gc.get(), "callbacks") : nullptr);
  const Ref function(callbacks ? PyCFunction_New(&callback, nullptr) : nullptr);
  if (!function || PyList_Append(callbacks.get(), function.get()) != 0) PyErr_Clear();
}

void list_for_collector(PyObject* tensor) {
  PyTensor& wrapper = as_tensor(tensor);
  if (wrapper.is_listed) return;
  listen_to_collector();
  wrapper.is_listed = listed().insert(&wrapper).second;
}

void show_tensors_behind(PyObject* object) {
  listen_to_collector();
  try {
    Search(200).from(object);
  } catch (const std::bad_alloc&) {  // NOLINT: then a cycle may live on
  }
}

void unlist_slowly(PyTensor& tensor) {
  listed().erase(&tensor);
  tensor.is_listed = false;
}

}  // namespace eagre::python
