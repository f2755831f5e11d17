// eagre.autograd.Node.
#include "autograd/node_object.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/validate.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>

#include "autograd/function_node.h"
#include "autograd/hooks.h"
#include "autograd/objects.h"
#include "autograd/saved_attributes.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "lifetime/graph_traverse.h"
#include "lifetime/hidden_tensors.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/size.h"
#include "types/tensor.h"
#include "types/tuple.h"

namespace eagre::python {
namespace {

using autograd::Node;
using NodePtr = IntrusivePtr<Node>;

// Raises for a context without a graph.
NodePtr node_of(PyObject* self) {
  if (!is_context(self)) return reinterpret_cast<PyNode*>(self)->node;
  NodePtr node = node_of_context(self);
  EAGRE_CHECK(static_cast<bool>(node), kAutograd, Py_TYPE(self)->tp_name,
              ": this attribute is invalid for this instance, which is no part of a graph. Hint: "
              "call apply() of the class, and look at the grad_fn of what it returns");
  return node;
}

// The object of every node that has one, so that a node is one object as long as anybody looks at
// it. Under the GIL.
std::unordered_map<const Node*, PyNode*>& objects() {
  static auto& instance = *new std::unordered_map<const Node*, PyNode*>;
  return instance;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return traverse_graph(*reinterpret_cast<PyNode*>(self), visit, arg);
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyTypeObject* type = Py_TYPE(self);
  objects().erase(reinterpret_cast<PyNode*>(self)->node.get());
  reinterpret_cast<PyNode*>(self)->~PyNode();
  PyObject_GC_Del(self);
  Py_DECREF(type);
  drop_released();
}

// A subtype of Node per name, so that type(y.grad_fn).__name__ says what the node is. They stay.
PyTypeObject* type_named(std::string_view name) {
  static auto& types = *new std::unordered_map<std::string, PyTypeObject*>;
  const auto [entry, is_new] = types.try_emplace(concat("eagre.autograd.", name), nullptr);
  if (!is_new && entry->second != nullptr) return entry->second;
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {0, nullptr}};
  constexpr unsigned int kFlags =
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_GC;
  PyType_Spec spec = {entry->first.c_str(), sizeof(PyNode), 0, kFlags, slots};
  entry->second = reinterpret_cast<PyTypeObject*>(
      checked(PyType_FromSpecWithBases(&spec, reinterpret_cast<PyObject*>(&node_type))));
  return entry->second;
}

std::string name_text(PyObject* self) {
  if (is_context(self)) return Py_TYPE(self)->tp_name;
  return std::string(reinterpret_cast<PyNode*>(self)->node->name());
}

PyObject* name(PyObject* self, PyObject*) { return PyUnicode_FromString(name_text(self).c_str()); }
PyObject* represent(PyObject* self) {
  return PyUnicode_FromFormat("<%s object>", name_text(self).c_str());
}

PyObject* next_functions(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    const NodePtr node = node_of(self);
    return tuple_of(node->edge_count(), [&](size_t i) {
      const autograd::Edge& edge = node->edges()[i];
      return Py_BuildValue("(NI)", checked(new_node_object(edge.node)), edge.slot);
    });
  });
}

PyObject* variable(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    const NodePtr node = node_of(self);
    if (!node->is_accumulate()) {
      PyErr_Format(PyExc_AttributeError, "%s has no variable: only AccumulateGrad has one",
                   name_text(self).c_str());
      return nullptr;
    }
    return wrap(TensorBase::share(&static_cast<autograd::AccumulateNode&>(*node).leaf()));
  });
}

PyObject* sequence_number(PyObject* self, PyObject*) {
  return guarded([&] { return PyLong_FromUnsignedLongLong(node_of(self)->sequence()); });
}

PyObject* set_sequence_number(PyObject* self, PyObject* number) {
  return guarded([&]() -> PyObject* {
    const NodePtr node = node_of(self);
    const unsigned long long sequence = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred() != nullptr) throw PythonError::take();
    EAGRE_CHECK(!node->is_accumulate() && sequence != UINT64_MAX, kAutograd,
                "_set_sequence_nr(): AccumulateGrad has the greatest number, and nobody else");
    node->set_sequence(sequence);
    Py_RETURN_NONE;
  });
}

// A dict for the user, made when first asked for; the node owns it.
PyObject* metadata(PyObject* self, void*) {
  return guarded([&] {
    const NodePtr node = node_of(self);
    auto& user_data = node->make_extras().user_data;
    if (user_data == nullptr) {
      const Ref dict(checked(PyDict_New()));
      user_data = std::make_shared<Held>(dict.get());
    }
    return Py_NewRef(static_cast<Held*>(user_data.get())->get());
  });
}

PyStructSequence_Field input_metadata_fields[] = {
    {"shape", "the sizes that the gradient must have"},
    {"dtype", "its dtype"},
    {"device", "its device"},
    {nullptr, nullptr}};
PyStructSequence_Desc input_metadata_description = {
    "eagre.autograd.InputMetadata", "What the gradient of an output must look like.",
    input_metadata_fields, 3};
PyTypeObject* input_metadata_type = nullptr;

PyObject* input_metadata(PyObject* self, void*) {
  return guarded([&] {
    const NodePtr node = node_of(self);
    return tuple_of(node->slot_count(), [&](size_t output_nr) {
      const autograd::GradientMetadata meta({node, static_cast<uint32_t>(output_nr)});
      Ref row(checked(PyStructSequence_New(input_metadata_type)));
      PyStructSequence_SetItem(row.get(), 0, checked(new_size(Dims(meta.sizes))));
      PyStructSequence_SetItem(row.get(), 1, Py_NewRef(dtype_object(meta.dtype)));
      PyStructSequence_SetItem(row.get(), 2, checked(new_device_object(meta.device)));
      return row.give();
    });
  });
}

// node(*gradients): runs this node alone, without its hooks, and keeps what it saved.
PyObject* call(PyObject* self, PyObject* args, PyObject* names) {
  return guarded([&]() -> PyObject* {
    const NodePtr held = node_of(self);
    Node& node = *held;
    const auto given = static_cast<size_t>(PyTuple_GET_SIZE(args));
    EAGRE_CHECK(names == nullptr, kType, node.name(), "() takes no arguments by name");
    EAGRE_CHECK(given == node.slot_count(), kType, node.name(), "(): expected ", node.slot_count(),
                " arguments, got ", given, " instead");
    std::vector<TensorBase> gradients, results(node.edge_count());
    for (size_t i = 0; i < given; ++i) {
      PyObject* argument = PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(i));
      EAGRE_CHECK(argument == Py_None || is_tensor(argument), kType, node.name(),
                  "(): expected a Tensor or None, but got ", describe_type(argument));
      gradients.push_back(argument == Py_None ? TensorBase() : tensor_of(argument));
    }
    uint64_t wanted = 0;
    for (size_t i = 0; i < node.edge_count() && i < 64; ++i) {
      wanted |= uint64_t{node.has_edge(i)} << i;
    }
    {
      GilReleased released;
      autograd::BackwardCall run(gradients.data(), results.data(), wanted, true);
      node.apply(run);
    }
    return results.size() == 1 ? wrap(std::move(results[0])) : tensor_tuple(results).give();
  });
}

// Besides what every node has: what this one saved.
PyObject* attribute(PyObject* self, PyObject* name) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(name, &size);
  if (text == nullptr) return nullptr;
  const std::string_view wanted(text, static_cast<size_t>(size));
  if (!is_saved_name(wanted)) return PyObject_GenericGetAttr(self, name);
  return guarded([&] {
    PyObject* found = saved_attribute(*node_of(self), wanted);
    if (found == nullptr) {
      PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%U'",
                   name_text(self).c_str(), name);
    }
    return found;
  });
}

PyObject* attribute_names(PyObject* self, PyObject*) {
  return guarded([&] {
    Ref names(checked(PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyBaseObject_Type),
                                          "__dir__", "O", self)));
    if (const NodePtr node = node_in(self)) add_saved_names(*node, names.get());
    return names.give();
  });
}

PyObject* register_prehook(PyObject* self, PyObject* function) {
  return guarded([&] {
    check_hook("register_prehook", function);
    return new_hook_handle(
        add_hook(*node_of(self), autograd::HookKind::kBefore, new_pre_hook(function)));
  });
}

PyObject* register_hook(PyObject* self, PyObject* function) {
  return guarded([&] {
    check_hook("register_hook", function);
    return new_hook_handle(
        add_hook(*node_of(self), autograd::HookKind::kAfter, new_post_hook(function)));
  });
}

PyMethodDef node_methods[] = {
    {"name", name, METH_NOARGS, "name(): the name of the operator's backward"},
    {"_sequence_nr", sequence_number, METH_NOARGS,
     "_sequence_nr(): when it was recorded in its thread; later ones run first"},
    {"_set_sequence_nr", set_sequence_number, METH_O,
     "_set_sequence_nr(number): as if it had been recorded then"},
    {"register_prehook", register_prehook, METH_O,
     "register_prehook(hook): hook(grad_outputs) before the node runs; may return another tuple"},
    {"register_hook", register_hook, METH_O,
     "register_hook(hook): hook(grad_inputs, grad_outputs) after the node; may return another "
     "tuple of grad_inputs"},
    {"__dir__", attribute_names, METH_NOARGS, nullptr},
    {}};
PyGetSetDef node_properties[] = {
    {"next_functions", next_functions, nullptr, "a pair (node, slot) per input", nullptr},
    {"variable", variable, nullptr, "the leaf of an AccumulateGrad node", nullptr},
    {"metadata", metadata, nullptr, "a dict that lives as long as the node", nullptr},
    {"_input_metadata", input_metadata, nullptr, "shape, dtype and device per output", nullptr},
    {}};

}  // namespace

PyTypeObject node_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.autograd.Node",
    .tp_basicsize = sizeof(PyNode),
    .tp_repr = represent,
    .tp_call = call,
    .tp_getattro = attribute,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A recorded operator call.",
    .tp_methods = node_methods,
    .tp_getset = node_properties,
};

int traverse_graph(PyNode& object, visitproc visit, void* arg) {
  if (!object.node || !is_full_collection()) return 0;
  auto* self = reinterpret_cast<PyObject*>(&object);
  if (arg != self) {
    return object.shows_graph ? traverse_whole_graph(*object.node, visit, arg) : 0;
  }
  if (!object.node->is_held_once()) return 0;
  const OwnedGraph graph(*object.node, self);
  object.shows_graph |= !graph.is_empty();
  return graph.traverse(visit, arg);
}

PyObject* new_node_object(IntrusivePtr<Node> node) {
  if (!node) Py_RETURN_NONE;
  return guarded([&] {
    listen_to_collector();
    if (PyObject* context = context_of_node(*node)) return context;
    const auto known = objects().find(node.get());
    if (known != objects().end()) return Py_NewRef(reinterpret_cast<PyObject*>(known->second));
    auto* fresh = PyObject_GC_New(PyNode, type_named(node->name()));
    if (fresh == nullptr) throw PythonError::take();
    fresh->shows_graph = false;
    objects().emplace(node.get(), fresh);
    new (&fresh->node) NodePtr(std::move(node));
    PyObject_GC_Track(fresh);
    return reinterpret_cast<PyObject*>(fresh);
  });
}

NodePtr node_in(PyObject* object) {
  if (!PyObject_TypeCheck(object, &node_type)) return nullptr;
  return is_context(object) ? node_of_context(object) : reinterpret_cast<PyNode*>(object)->node;
}

bool add_node_types(PyObject* module) {
  input_metadata_type = PyStructSequence_NewType(&input_metadata_description);
  return input_metadata_type != nullptr && PyType_Ready(&node_type) == 0 &&
         add_hook_handle_type(module) && add_saved_tensor_type(module) &&
         PyModule_AddObjectRef(module, "Node", reinterpret_cast<PyObject*>(&node_type)) == 0;
}

}  // namespace eagre::python
