// The type of contexts: what forward, backward and jvp of a Function can do with them.
#include "autograd/context_object.h"

#include <cstddef>
#include <vector>

#include <eagre/autograd/function/custom_function.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>

#include "autograd/function_apply.h"
#include "autograd/function_class.h"
#include "autograd/function_node.h"
#include "autograd/objects.h"
#include "autograd/saved_attributes.h"
#include "interpreter/errors.h"
#include "interpreter/held.h"
#include "lifetime/graph_traverse.h"
#include "lifetime/hidden_tensors.h"
#include "types/tensor.h"
#include "types/tuple.h"

namespace eagre::python {
namespace {

// --- life ---

FunctionNode* held_node(const PyContext& context) {
  return static_cast<FunctionNode*>(context.base.node.get());
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  PyContext& context = context_of(self);
  Py_VISIT(context.function);
  Py_VISIT(context.to_save);
  Py_VISIT(context.to_save_forward);
  Py_VISIT(context.dirty);
  Py_VISIT(context.non_differentiable);
  return traverse_graph(context.base, visit, arg);
}

int clear(PyObject* self) {
  PyContext& context = context_of(self);
  Py_CLEAR(context.to_save);
  Py_CLEAR(context.to_save_forward);
  Py_CLEAR(context.dirty);
  Py_CLEAR(context.non_differentiable);
  return 0;
}

// See Note [Owners of contexts].
void finalize(PyObject* self) {
  FunctionNode* node = held_node(context_of(self));
  if (node != nullptr && node->is_shared()) node->take_context(Py_NewRef(self));
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyContext& context = context_of(self);
  if (FunctionNode* node = held_node(context)) node->forget_context();
  clear(self);
  Py_XDECREF(context.function);
  Py_XDECREF(context.needs_input_grad);
  context.base.node.~IntrusivePtr<autograd::Node>();
  Py_TYPE(self)->tp_free(self);
  drop_released();
}

// After forward, what it is given may have a history that leads back here.
int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  const PyContext& context = context_of(self);
  if (value != nullptr && context.base.node) show_tensors_behind(value);
  return PyObject_GenericSetAttr(self, name, value);
}

PyObject* make(PyTypeObject* type, PyObject*, PyObject*) { return type->tp_alloc(type, 0); }

// --- for forward ---

void keep_tuple(PyObject*& field, PyObject* tuple) { Py_XSETREF(field, Py_NewRef(tuple)); }

PyObject* save_for_backward(PyObject* self, PyObject* tensors) {
  return guarded([&]() -> PyObject* {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i) {
      PyObject* element = PyTuple_GET_ITEM(tensors, i);
      EAGRE_CHECK(element == Py_None || is_tensor(element), kType,
                  "save_for_backward can only save variables, but argument ", i, " is of type ",
                  Py_TYPE(element)->tp_name,
                  ". Hint: other things can be attributes of ctx: ctx.size = 3");
    }
    keep_tuple(context_of(self).to_save, tensors);
    Py_RETURN_NONE;
  });
}

PyObject* save_for_forward(PyObject* self, PyObject* tensors) {
  return guarded([&]() -> PyObject* {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i) {
      PyObject* element = PyTuple_GET_ITEM(tensors, i);
      if (element == Py_None || is_tensor(element)) continue;
      PyErr_SetString(PyExc_AssertionError,
                      "save_for_forward expects all arguments to be tensors; you should save "
                      "non-tensors as attributes on ctx.");
      return nullptr;
    }
    keep_tuple(context_of(self).to_save_forward, tensors);
    Py_RETURN_NONE;
  });
}

PyObject* mark_dirty(PyObject* self, PyObject* tensors) {
  return guarded([&]() -> PyObject* {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i) {
      EAGRE_CHECK(is_tensor(PyTuple_GET_ITEM(tensors, i)), kType,
                  "mark_dirty can only accept variables, but argument ", i, " is of type ",
                  Py_TYPE(PyTuple_GET_ITEM(tensors, i))->tp_name);
    }
    keep_tuple(context_of(self).dirty, tensors);
    Py_RETURN_NONE;
  });
}

PyObject* mark_non_differentiable(PyObject* self, PyObject* tensors) {
  return guarded([&]() -> PyObject* {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i) {
      EAGRE_CHECK(is_tensor(PyTuple_GET_ITEM(tensors, i)), kType,
                  "mark_non_differentiable only accepts variable arguments, but got ",
                  Py_TYPE(PyTuple_GET_ITEM(tensors, i))->tp_name);
    }
    keep_tuple(context_of(self).non_differentiable, tensors);
    Py_RETURN_NONE;
  });
}

PyObject* set_materialize_grads(PyObject* self, PyObject* value) {
  const int is_true = PyObject_IsTrue(value);
  if (is_true < 0) return nullptr;
  context_of(self).drops_gradients = is_true == 0;
  Py_RETURN_NONE;
}

// --- for backward ---

IntrusivePtr<FunctionNode> function_node(PyObject* self) {
  IntrusivePtr<autograd::Node> node = node_of_context(self);
  return IntrusivePtr<FunctionNode>::adopt(static_cast<FunctionNode*>(node.detach()));
}

PyObject* saved_tensors(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    PyContext& context = context_of(self);
    if (context.for_jvp != nullptr) return tensor_tuple(*context.for_jvp).give();
    const IntrusivePtr<FunctionNode> node = function_node(self);
    if (!node) return PyTuple_New(0);
    EAGRE_CHECK(!context.gave_up_saved, kAutograd, node->name(),
                ": saved_tensors can only be accessed once when clear_saved_tensors_on_access=True "
                "is set on the autograd.Function. Either access saved_tensors only once, or set "
                "clear_saved_tensors_on_access=False.");
    Ref tensors = tensor_tuple(node->saved_tensors());
    if (context.backward_calls > 0 &&
        function_flag(context.function, FunctionFlag::kClearOnAccess)) {
      context.gave_up_saved = true;
      node->give_up_saved();
    }
    return tensors.give();
  });
}

PyObject* saved_variables(PyObject* self, void*) {
  if (PyErr_WarnEx(PyExc_DeprecationWarning, "'saved_variables' is deprecated; use 'saved_tensors'",
                   1) != 0) {
    return nullptr;
  }
  return saved_tensors(self, nullptr);
}

PyObject* maybe_clear_saved_tensors(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    if (const IntrusivePtr<FunctionNode> node = function_node(self)) node->give_up_saved();
    Py_RETURN_NONE;
  });
}

PyObject* get_raw_saved_tensors(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    const IntrusivePtr<FunctionNode> node = function_node(self);
    if (!node) return PyTuple_New(0);
    node->saved_tensors();  // raises where they were freed
    return raw_saved_tensors(*node);
  });
}

// While backward runs, only those count that this call wants.
PyObject* needs_input_grad(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    const PyContext& context = context_of(self);
    PyObject* needs = context.needs_input_grad;
    if (needs == nullptr) return PyTuple_New(0);
    const IntrusivePtr<FunctionNode> node =
        context.backward_calls > 0 ? function_node(self) : nullptr;
    if (!node || !PyTuple_Check(needs) ||
        static_cast<size_t>(PyTuple_GET_SIZE(needs)) != node->argument_is_tensor().size()) {
      return Py_NewRef(needs);
    }
    const std::vector<bool>& is_tensor = node->argument_is_tensor();
    return tuple_of(is_tensor.size(), [&, input = size_t{0}](size_t i) mutable {
      const bool wanted = is_tensor[i] && autograd::CustomNode::wants_input(input);
      input += is_tensor[i] ? 1 : 0;
      return Py_NewRef(wanted ? PyTuple_GET_ITEM(needs, static_cast<Py_ssize_t>(i)) : Py_False);
    });
  });
}

int set_needs_input_grad(PyObject* self, PyObject* value, void*) {
  Py_XSETREF(context_of(self).needs_input_grad, Py_XNewRef(value));
  return 0;
}

PyObject* argument_is_tensor(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    const IntrusivePtr<FunctionNode> node = function_node(self);
    if (!node) return PyTuple_New(0);
    const std::vector<bool>& flags = node->argument_is_tensor();
    return tuple_of(flags.size(), [&](size_t i) { return PyBool_FromLong(flags[i]); });
  });
}

PyObject* materialize_grads(PyObject* self, void*) {
  return PyBool_FromLong(!context_of(self).drops_gradients);
}

template <bool PyContext::*kField, bool kWhenSet>
PyObject* flag(PyObject* self, void*) {
  return PyBool_FromLong((context_of(self).*kField == kWhenSet) ? 1 : 0);
}
template <bool PyContext::*kField, bool kWhenSet>
int set_flag(PyObject* self, PyObject* value, void*) {
  const int is_true = value == nullptr ? 0 : PyObject_IsTrue(value);
  if (is_true < 0) return -1;
  context_of(self).*kField = (is_true != 0) == kWhenSet;
  return 0;
}

template <PyObject* PyContext::*kField>
PyObject* tuple_field(PyObject* self, void*) {
  PyObject* tuple = context_of(self).*kField;
  return Py_NewRef(tuple == nullptr ? Py_None : tuple);
}

PyMethodDef context_methods[] = {
    {"apply", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(apply_function)),
     METH_CLASS | METH_FASTCALL | METH_KEYWORDS,
     "apply(*args): calls forward, and records that backward has its gradients"},
    {"save_for_backward", save_for_backward, METH_VARARGS,
     "save_for_backward(*tensors): backward finds them as ctx.saved_tensors"},
    {"save_for_forward", save_for_forward, METH_VARARGS,
     "save_for_forward(*tensors): jvp finds them as ctx.saved_tensors"},
    {"mark_dirty", mark_dirty, METH_VARARGS,
     "mark_dirty(*tensors): forward wrote these arguments in place; it must return them"},
    {"mark_non_differentiable", mark_non_differentiable, METH_VARARGS,
     "mark_non_differentiable(*tensors): these results have no gradient"},
    {"set_materialize_grads", set_materialize_grads, METH_O,
     "set_materialize_grads(value): whether missing gradients come to backward as zeros (the "
     "default) or as None"},
    {"maybe_clear_saved_tensors", maybe_clear_saved_tensors, METH_NOARGS,
     "maybe_clear_saved_tensors(): lets go of what was saved"},
    {}};
PyGetSetDef context_properties[] = {
    {"saved_tensors", saved_tensors, nullptr, "what forward saved, as a tuple", nullptr},
    {"saved_variables", saved_variables, nullptr, "the old name of saved_tensors", nullptr},
    {"needs_input_grad", needs_input_grad, set_needs_input_grad,
     "for every argument of forward: must backward compute its gradient?", nullptr},
    {"materialize_grads", materialize_grads, nullptr, nullptr, nullptr},
    {"_materialize_non_diff_grads", flag<&PyContext::drops_non_differentiable, false>,
     set_flag<&PyContext::drops_non_differentiable, false>,
     "whether gradients of results without one come to backward as zeros (the default) or as None",
     nullptr},
    {"_is_pure_view", flag<&PyContext::is_pure_view, true>,
     set_flag<&PyContext::is_pure_view, true>,
     "forward only returns a view, whose own gradient is what backward computes: it may be written "
     "in place",
     nullptr},
    {"to_save", tuple_field<&PyContext::to_save>, nullptr, nullptr, nullptr},
    {"saved_for_forward", tuple_field<&PyContext::to_save_forward>, nullptr, nullptr, nullptr},
    {"dirty_tensors", tuple_field<&PyContext::dirty>, nullptr, nullptr, nullptr},
    {"non_differentiable", tuple_field<&PyContext::non_differentiable>, nullptr, nullptr, nullptr},
    {"_raw_saved_tensors", get_raw_saved_tensors, nullptr, "a SavedTensor for each", nullptr},
    {"_argument_is_tensor", argument_is_tensor, nullptr, nullptr, nullptr},
    {}};

}  // namespace

PyTypeObject context_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre._C._FunctionBase",
    .tp_basicsize = sizeof(PyContext),
    .tp_dealloc = dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = set_attribute,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "What Function and the contexts of its calls have in common.",
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_methods = context_methods,
    .tp_getset = context_properties,
    .tp_base = &node_type,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = make,
    .tp_free = PyObject_GC_Del,
    .tp_finalize = finalize,
};

bool add_context_type(PyObject* module) {
  set_object_held_by(context_held_by);
  return PyType_Ready(&context_type) == 0 &&
         PyModule_AddObjectRef(module, "_FunctionBase",
                               reinterpret_cast<PyObject*>(&context_type)) == 0;
}

}  // namespace eagre::python
