// Functions of the module about gradients.
#include <eagre/api/autograd.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/retain_grad.h>

#include "edge_arguments.h"
#include "functions.h"
#include "gil.h"
#include "method.h"
#include "node_object.h"
#include "saved_hooks.h"
#include "site.h"
#include "tensor_tuple.h"

namespace eagre::python {
namespace {

constexpr const char* kWhatEdgesAre = "a Tensor or GradientEdge, or a list or tuple of them";
constexpr const char* kWhatGradientsAre = "a Tensor, or a list or tuple of Tensors";

// A GradientEdge is a named tuple that begins with a node and a number.
bool is_edge(PyObject* object) {
  return PyTuple_Check(object) && PyTuple_GET_SIZE(object) >= 2 &&
         static_cast<bool>(node_in(PyTuple_GET_ITEM(object, 0))) &&
         PyLong_Check(PyTuple_GET_ITEM(object, 1));
}

autograd::Edge edge_of(PyObject* object) {
  IntrusivePtr<autograd::Node> node = node_in(PyTuple_GET_ITEM(object, 0));
  const size_t slot = PyLong_AsSize_t(PyTuple_GET_ITEM(object, 1));
  if (PyErr_Occurred() != nullptr) throw PythonError::take();
  EAGRE_CHECK(slot < node->slot_count(), kIndex, "GradientEdge: ", node->name(), " has ",
              node->slot_count(), " outputs, but output_nr is ", slot);
  return {std::move(node), static_cast<uint32_t>(slot)};
}

// The elements of what was given, which may be a single one.
Ref elements(const Arguments& a, size_t i) {
  if (is_tensor(a[i]) || is_edge(a[i])) return Ref(checked(PyTuple_Pack(1, a[i])));
  if (PyDict_CheckExact(a[i])) return Ref(checked(PyDict_Values(a[i])));
  if (PyMapping_Check(a[i]) != 0 && PySequence_Check(a[i]) == 0) a.wrong_type(i, kWhatEdgesAre);
  Ref list(PySequence_Fast(a[i], ""));
  if (!list) {
    PyErr_Clear();
    a.wrong_type(i, kWhatEdgesAre);
  }
  return list;
}

}  // namespace

EdgeArguments edge_arguments(const Arguments& a, size_t i) {
  EdgeArguments result;
  if (!a.has(i)) return result;
  const Ref list = elements(a, i);
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(list.get()); ++k) {
    PyObject* element = PySequence_Fast_GET_ITEM(list.get(), k);
    if (is_tensor(element)) {
      result.edges.push_back(autograd::gradient_edge(tensor_of(element)));
      result.tensors.push_back(tensor_of(element));
    } else if (is_edge(element)) {
      result.edges.push_back(edge_of(element));
      result.tensors.emplace_back();
    } else {
      a.wrong_element(i, k, element, kWhatEdgesAre);
    }
  }
  return result;
}

std::vector<autograd::Edge> backward_inputs(const Arguments& a, size_t i) {
  if (!a.has(i)) return {};
  EdgeArguments inputs = edge_arguments(a, i);
  EAGRE_CHECK(!inputs.edges.empty(), kInvalidArgument,
              "backward(): argument 'inputs' cannot be empty");
  for (const TensorBase& tensor : inputs.tensors) {
    if (tensor.defined()) autograd::retain_grad(tensor);
  }
  return std::move(inputs.edges);
}

std::vector<TensorBase> gradient_arguments(const Arguments& a, size_t i) {
  std::vector<TensorBase> tensors;
  if (!a.has(i)) return tensors;
  if (is_tensor(a[i])) return {tensor_of(a[i])};
  const Ref list(PySequence_Fast(a[i], ""));
  if (!list) {
    PyErr_Clear();
    a.wrong_type(i, kWhatGradientsAre);
  }
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(list.get()); ++k) {
    PyObject* element = PySequence_Fast_GET_ITEM(list.get(), k);
    if (element != Py_None && !is_tensor(element)) {
      a.wrong_element(i, k, element, kWhatGradientsAre);
    }
    tensors.push_back(element == Py_None ? TensorBase() : tensor_of(element));
  }
  return tensors;
}

autograd::GradOptions graph_options(const Arguments& a, size_t first) {
  const bool create_graph = a.has(first + 1) && a.boolean(first + 1, false);
  const bool keep = a.has(first) ? a.boolean(first, false) : create_graph;
  return {keep, create_graph};
}

namespace {

constexpr Parameter kBackwardParameters[] = {{"tensors"},
                                             {"grad_tensors", nullptr, false},
                                             {"retain_graph", nullptr, false},
                                             {"create_graph", nullptr, false},
                                             {"inputs", nullptr, false}};
constexpr Signature kBackward{"backward", kBackwardParameters, 5};

PyObject* backward(const Arguments& a) {
  EdgeArguments roots = edge_arguments(a, 0);
  const std::vector<TensorBase> gradients = gradient_arguments(a, 1);
  const autograd::GradOptions options = graph_options(a, 2);
  const std::vector<autograd::Edge> inputs = backward_inputs(a, 4);
  const CallSite at = current_site();
  {
    const SavedHooksOfCall hooks;
    GilReleased released;
    autograd::backward_impl(roots.edges, gradients, inputs, options, at);
  }
  Py_RETURN_NONE;
}

constexpr Parameter kGradParameters[] = {
    {"outputs"},
    {"inputs"},
    {"grad_outputs", nullptr, false},
    {"retain_graph", nullptr, false},
    {"create_graph", nullptr, false},
    {"allow_unused", nullptr, false},
    {"materialize_grads", nullptr, false},
    {"no_grad_vars", nullptr, false},
};
constexpr Signature kGrad{"grad", kGradParameters, 8};

PyObject* grad(const Arguments& a) {
  EdgeArguments outputs = edge_arguments(a, 0);
  const EdgeArguments inputs = edge_arguments(a, 1);
  const std::vector<TensorBase> gradients = gradient_arguments(a, 2);
  const EdgeArguments blocked = edge_arguments(a, 7);
  autograd::GradOptions options = graph_options(a, 3);
  options.materialize = a.has(6) && a.boolean(6, false);
  options.allow_unused = a.has(5) && a.boolean(5, false);
  options.blocked = blocked.edges;
  for (const TensorBase& input : inputs.tensors) {
    EAGRE_CHECK(input.defined() || !options.materialize, kInvalidArgument,
                "grad(): materialize_grads cannot be used when the given input is a GradientEdge");
  }
  const CallSite at = current_site();
  std::vector<TensorBase> results;
  {
    const SavedHooksOfCall hooks;
    GilReleased released;
    results = autograd::grad_impl(outputs.edges, inputs.edges, gradients, options, at);
  }
  return tensor_tuple(results).give();
}

PyObject* gradient_edge(PyObject*, PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(is_tensor(tensor), kType,
                "get_gradient_edge(): argument 'tensor' must be a Tensor, but got ",
                describe_type(tensor));
    const autograd::Edge edge = autograd::gradient_edge(tensor_of(tensor));
    EAGRE_CHECK(static_cast<bool>(edge.node), kAutograd,
                "It is not possible to get the gradient edge for a Tensor that does not require "
                "gradients");
    return Py_BuildValue("(NI)", checked(new_node_object(edge.node)), edge.slot);
  });
}

PyObject* bump_version(PyObject*, PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(is_tensor(tensor), kType, "increment_version(): expected Tensors, but got ",
                describe_type(tensor));
    tensor_of(tensor).get().version->bump("increment_version()", current_site_id());
    Py_RETURN_NONE;
  });
}

PyObject* has_saved_tensor_hooks(PyObject*, PyObject*) {
  return PyBool_FromLong((thread_state.modes.unusual & kSavedTensorHooks) != 0);
}

PyObject* set_version(PyObject*, PyObject* arguments) {
  PyObject* tensor = nullptr;
  long value = 0;
  if (PyArg_ParseTuple(arguments, "Ol:_set_version", &tensor, &value) == 0) return nullptr;
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(is_tensor(tensor), kType,
                "_set_version(): argument 'tensor' must be a Tensor, "
                "but got ",
                describe_type(tensor));
    EAGRE_CHECK(value >= 0, kInvalidArgument,
                "Cannot set a version counter to a value below 0: ", value);
    tensor_of(tensor).get().version->value.store(static_cast<uint32_t>(value));
    Py_RETURN_NONE;
  });
}

// --- modes ---

PyObject* is_grad_enabled(PyObject*, PyObject*) { return PyBool_FromLong(GradMode::is_enabled()); }

PyObject* switch_grad(PyObject*, PyObject* enabled) {
  const int value = PyObject_IsTrue(enabled);
  if (value < 0) return nullptr;
  const bool before = GradMode::is_enabled();
  GradMode::set_enabled(value != 0);
  return PyBool_FromLong(before);
}

PyObject* is_inference_mode_enabled(PyObject*, PyObject*) {
  return PyBool_FromLong(InferenceMode::is_enabled());
}

// A bool switches the mode; the number that was returned then restores both modes as they were.
PyObject* switch_inference(PyObject*, PyObject* value) {
  constexpr long kSaved = 4, kInference = 2, kGrad = 1;
  const long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred() != nullptr) return nullptr;
  const long before = kSaved | (InferenceMode::is_enabled() ? kInference : 0) |
                      (GradMode::is_enabled() ? kGrad : 0);
  if ((number & kSaved) == 0) {
    InferenceMode::set_enabled(number != 0);
  } else {
    InferenceMode::set_enabled((number & kInference) != 0);
    GradMode::set_enabled((number & kGrad) != 0);
  }
  return PyLong_FromLong(before);
}

}  // namespace

const PyMethodDef kAutogradFunctions[] = {
    with_keywords<kBackward, backward, false>("_backward", nullptr),
    with_keywords<kGrad, grad, false>("_grad", nullptr),
    {"_gradient_edge", gradient_edge, METH_O, nullptr},
    {"_increment_version", bump_version, METH_O, nullptr},
    {"_has_saved_tensor_hooks", has_saved_tensor_hooks, METH_NOARGS, nullptr},
    {"_set_version", set_version, METH_VARARGS, nullptr},
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS,
     "is_grad_enabled(): do operators of this thread record gradients?"},
    {"_switch_grad", switch_grad, METH_O, nullptr},
    {"is_inference_mode_enabled", is_inference_mode_enabled, METH_NOARGS,
     "is_inference_mode_enabled(): does this thread make inference tensors?"},
    {"_switch_inference", switch_inference, METH_O, nullptr},
    {}};

}  // namespace eagre::python
