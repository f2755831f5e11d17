// eagre.autograd.Node and the handle that register_hook() returns.
#include "node_object.h"

#include <new>

#include <eagre/autograd/accumulate.h>

#include "errors.h"
#include "tensor_object.h"

namespace eagre::python {
namespace {

using autograd::Node;

struct PyNode {
  PyObject_HEAD IntrusivePtr<Node> node;
};
struct PyHandle {
  PyObject_HEAD HookHandle handle;
};
extern PyTypeObject node_type;

Node& node_of(PyObject* self) { return *reinterpret_cast<PyNode*>(self)->node; }

template <class Object>
void dealloc(PyObject* self) {
  reinterpret_cast<Object*>(self)->~Object();
  PyObject_Free(self);
  drop_released();
}

std::string name_text(PyObject* self) { return std::string(node_of(self).name()); }

PyObject* name(PyObject* self, PyObject*) { return PyUnicode_FromString(name_text(self).c_str()); }
PyObject* represent(PyObject* self) {
  return PyUnicode_FromFormat("<%s object>", name_text(self).c_str());
}

PyObject* next_functions(PyObject* self, void*) {
  Node& node = node_of(self);
  Ref result(PyTuple_New(static_cast<Py_ssize_t>(node.edge_count())));
  if (!result) return nullptr;
  for (size_t i = 0; i < node.edge_count(); ++i) {
    const autograd::Edge& edge = node.edges()[i];
    PyObject* next = new_node_object(edge.node);
    if (next == nullptr) return nullptr;
    PyObject* pair = Py_BuildValue("(NI)", next, edge.slot);
    if (pair == nullptr) return nullptr;
    PyTuple_SET_ITEM(result.get(), static_cast<Py_ssize_t>(i), pair);
  }
  return result.give();
}

PyObject* variable(PyObject* self, void*) {
  Node& node = node_of(self);
  if (!node.is_accumulate()) {
    PyErr_Format(PyExc_AttributeError, "%s has no variable: only AccumulateGrad has one",
                 name_text(self).c_str());
    return nullptr;
  }
  return wrap(TensorBase::share(&static_cast<autograd::AccumulateNode&>(node).leaf()));
}

PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if (!Py_IS_TYPE(other, &node_type) || (operation != Py_EQ && operation != Py_NE)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  return PyBool_FromLong((&node_of(self) == &node_of(other)) == (operation == Py_EQ));
}
Py_hash_t hash(PyObject* self) { return _Py_HashPointer(&node_of(self)); }

PyMethodDef node_methods[] = {
    {"name", name, METH_NOARGS, "name(): the name of the operator's backward"}, {}};
PyGetSetDef node_properties[] = {
    {"next_functions", next_functions, nullptr, "a pair (node, slot) per input", nullptr},
    {"variable", variable, nullptr, "the leaf of an AccumulateGrad node", nullptr},
    {}};

PyTypeObject node_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.autograd.Node",
    .tp_basicsize = sizeof(PyNode),
    .tp_dealloc = dealloc<PyNode>,
    .tp_repr = represent,
    .tp_hash = hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A recorded operator call.",
    .tp_richcompare = compare,
    .tp_methods = node_methods,
    .tp_getset = node_properties,
};

PyObject* remove_hook(PyObject* self, PyObject*) {
  reinterpret_cast<PyHandle*>(self)->handle.remove();
  drop_released();
  Py_RETURN_NONE;
}
PyMethodDef handle_methods[] = {
    {"remove", remove_hook, METH_NOARGS, "remove(): the hook is not called any more"}, {}};

PyTypeObject handle_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.autograd.RemovableHandle",
    .tp_basicsize = sizeof(PyHandle),
    .tp_dealloc = dealloc<PyHandle>,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "Takes a hook away again.",
    .tp_methods = handle_methods,
};

}  // namespace

PyObject* new_node_object(IntrusivePtr<Node> node) {
  if (!node) Py_RETURN_NONE;
  auto* object = PyObject_New(PyNode, &node_type);
  if (object != nullptr) new (&object->node) IntrusivePtr<Node>(std::move(node));
  return reinterpret_cast<PyObject*>(object);
}

PyObject* new_hook_handle(HookHandle handle) {
  auto* object = PyObject_New(PyHandle, &handle_type);
  if (object != nullptr) new (&object->handle) HookHandle(std::move(handle));
  return reinterpret_cast<PyObject*>(object);
}

bool add_node_types(PyObject* module) {
  return PyType_Ready(&node_type) == 0 && PyType_Ready(&handle_type) == 0 &&
         PyModule_AddObjectRef(module, "Node", reinterpret_cast<PyObject*>(&node_type)) == 0;
}

}  // namespace eagre::python
