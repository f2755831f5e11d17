// backward(), grad(), edges and versions of tensors, and the modes.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/autograd/engine/engine.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/zeros_like.h>

#include "autograd/edge_arguments.h"
#include "autograd/node_object.h"
#include "autograd/saved_hooks.h"
#include "autograd/tables.h"
#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/site.h"
#include "types/tensor.h"
#include "types/tuple.h"

namespace eagre::python {
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

TensorBase zeros_like(const TensorBase& tensor, CallSite at) {
  return ops::zeros_like(tensor, MemoryFormat::kPreserve, {}, at);
}

// What grad() was given.
struct GradArguments {
  explicit GradArguments(const Arguments& a)
      : outputs(edge_arguments(a, 0)),
        inputs(edge_arguments(a, 1)),
        gradients(gradient_arguments(a, 2)),
        blocked(edge_arguments(a, 7)),
        options(graph_options(a, 3)) {
    options.materialize = a.has(6) && a.boolean(6, false);
    options.allow_unused = a.has(5) && a.boolean(5, false);
    options.blocked = blocked.edges;
    // The engine makes zeros for all or for none.
    for (const TensorBase& input : inputs.tensors) {
      if (!input.defined() && options.materialize) materialize_tensors();
    }
  }

  void materialize_tensors() {
    options.materialize = false;
    options.allow_unused = materializes = true;
  }
  // Zeros for tensors that were not used.
  void fill(std::vector<TensorBase>& results, CallSite at) const {
    for (size_t i = 0; materializes && i < results.size(); ++i) {
      if (results[i].defined()) continue;
      EAGRE_CHECK(inputs.tensors[i].defined(), kInvalidArgument,
                  "grad(): materialize_grads cannot be used when the given input is a "
                  "GradientEdge: nothing that ran leads to the one at index ",
                  i, ", and an edge has no shape");
      results[i] = zeros_like(inputs.tensors[i], at);
    }
  }

  EdgeArguments outputs, inputs;
  std::vector<TensorBase> gradients;
  EdgeArguments blocked;
  autograd::GradOptions options;
  bool materializes = false;  // here, not in the engine
};

PyObject* grad(const Arguments& a) {
  GradArguments given(a);
  const CallSite at = current_site();
  std::vector<TensorBase> results(given.inputs.edges.size());
  {
    const SavedHooksOfCall hooks;
    GilReleased released;
    autograd::grad_impl(given.outputs.edges, given.inputs.edges, given.gradients, given.options,
                        results, at);
    given.fill(results, at);
  }
  return tensor_tuple(results).give();
}

// Of a batch of gradients, which fit. Zeros for an input that was not used have no batch.
PyObject* batched_grad(const Arguments& a) {
  GradArguments given(a);
  if (given.options.materialize) given.materialize_tensors();
  const CallSite at = current_site();
  std::vector<TensorBase> results(given.inputs.edges.size());
  {
    const SavedHooksOfCall hooks;
    GilReleased released;
    autograd::batched_grad_impl(given.outputs.edges, given.inputs.edges, given.gradients,
                                given.options, results, at);
    given.fill(results, at);
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
    with_keywords<kGrad, batched_grad, false>("_batched_grad", nullptr),
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
