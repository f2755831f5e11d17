// Functions of the module that are not operators.
#include "functions.h"

#include <string>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/base/warn.h>
#include <eagre/core/current_device.h>
#include <eagre/core/generator.h>
#include <eagre/dispatch/plugin.h>

#include "array_in.h"
#include "gil.h"
#include "method.h"
#include "site.h"
#include "tensor_data.h"

namespace eagre::python {
namespace {

// --- creation ---

constexpr Parameter kTensorParameters[] = {{"data"},
                                           {"dtype", nullptr, false},
                                           {"device", nullptr, false},
                                           {"requires_grad", nullptr, false}};
constexpr Signature kTensor{"tensor", kTensorParameters, 1};

PyObject* tensor(const Arguments& a) { return wrap(tensor_from_data(a[0], a.options(1))); }

PyObject* from_numpy(PyObject*, PyObject* array) {
  return guarded([&] {
    if (!is_array_like(array)) {
      raise(ErrorKind::kType,
            ArgumentProblem{"from_numpy", "ndarray", "a NumPy array", describe_type(array),
                            "eagre.tensor() takes numbers and lists"});
    }
    return wrap(share_array(array));
  });
}

PyObject* seed(PyObject*, PyObject* number) {
  const uint64_t value = PyLong_AsUnsignedLongLongMask(number);  // negative seeds wrap around
  if (value == UINT64_MAX && PyErr_Occurred()) return nullptr;
  manual_seed(value);
  Py_RETURN_NONE;
}

// --- gradients ---

// A tensor, or a list of tensors among which None is an undefined one.
std::vector<TensorBase> tensor_list(const Arguments& a, size_t i) {
  std::vector<TensorBase> tensors;
  if (!a.has(i)) return tensors;
  if (is_tensor(a[i])) return {tensor_of(a[i])};
  if (!PyTuple_Check(a[i]) && !PyList_Check(a[i])) {
    a.wrong_type(i, "a Tensor, or a list or tuple of Tensors");
  }
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(a[i]); ++k) {
    PyObject* element = PySequence_Fast_GET_ITEM(a[i], k);
    if (element == Py_None) {
      tensors.emplace_back();
    } else if (is_tensor(element)) {
      tensors.push_back(tensor_of(element));
    } else {
      a.wrong_type(i, "a Tensor, or a list or tuple of Tensors");
    }
  }
  return tensors;
}

autograd::GradOptions grad_options(const Arguments& a, size_t retain_graph, bool allow_unused) {
  const bool create_graph = a.boolean(retain_graph + 1, false);
  const bool keep = a.has(retain_graph) ? a.boolean(retain_graph, false) : create_graph;
  return {keep || create_graph, create_graph, allow_unused};
}

constexpr Parameter kBackwardParameters[] = {{"tensors"},
                                             {"grad_tensors", nullptr, false},
                                             {"retain_graph", nullptr, false},
                                             {"create_graph", nullptr, false}};
constexpr Signature kBackward{"backward", kBackwardParameters, 4};

PyObject* backward(const Arguments& a) {
  const std::vector<TensorBase> tensors = tensor_list(a, 0);
  const std::vector<TensorBase> gradients = tensor_list(a, 1);
  const autograd::GradOptions options = grad_options(a, 2, false);
  const CallSite at = current_site();
  {
    GilReleased released;
    autograd::backward_impl(tensors, gradients, options, at);
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
};
constexpr Signature kGrad{"grad", kGradParameters, 6};

PyObject* grad(const Arguments& a) {
  const std::vector<TensorBase> outputs = tensor_list(a, 0);
  const std::vector<TensorBase> inputs = tensor_list(a, 1);
  const std::vector<TensorBase> gradients = tensor_list(a, 2);
  const bool allow_unused = a.has(5) && a.boolean(5, false);
  const autograd::GradOptions options = grad_options(a, 3, allow_unused);
  const CallSite at = current_site();
  std::vector<TensorBase> results;
  {
    GilReleased released;
    results = autograd::grad_impl(outputs, inputs, gradients, options, at);
  }
  Ref tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(results.size()))));
  for (size_t i = 0; i < results.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), checked(wrap(std::move(results[i]))));
  }
  return tuple.give();
}

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

// --- settings ---

std::string text_argument(const Arguments& a, size_t i) {
  if (!PyUnicode_Check(a[i])) a.wrong_type(i, "a str");
  const char* text = PyUnicode_AsUTF8(a[i]);
  if (text == nullptr) throw PythonError::take();
  return text;
}

PyObject* get_default_dtype(PyObject*, PyObject*) {
  return Py_NewRef(dtype_object(default_dtype()));
}

PyObject* get_default_device(PyObject*, PyObject*) { return new_device_object(default_device()); }

constexpr Parameter kDeviceParameters[] = {{"device"}};
constexpr Signature kSetDefaultDevice{"set_default_device", kDeviceParameters, 1};
PyObject* change_default_device(const Arguments& a) {
  set_default_device(a.has(0) ? a.device(0) : Device());
  Py_RETURN_NONE;
}

constexpr Parameter kDTypeParameters[] = {{"d"}};
constexpr Signature kSetDefaultDType{"set_default_dtype", kDTypeParameters, 1};
PyObject* change_default_dtype(const Arguments& a) {
  set_default_dtype(a.dtype(0));
  Py_RETURN_NONE;
}

constexpr Parameter kPluginParameters[] = {{"path"}};
constexpr Signature kLoadPlugin{"load_device_plugin", kPluginParameters, 1};
PyObject* load_plugin(const Arguments& a) {
  const LoadedPlugin plugin = load_device_plugin(text_argument(a, 0));
  if (!plugin.refused.empty()) {
    warn(concat("load_device_plugin(): kernels of '", plugin.device_name,
                "' were refused: ", plugin.refused));
  }
  return new_device_object(Device(plugin.device_name));
}

PyObject* tell_package_folder(PyObject*, PyObject* folder) {
  const char* text = PyUnicode_AsUTF8(folder);
  if (text == nullptr) return nullptr;
  set_package_folder(text);
  Py_RETURN_NONE;
}

}  // namespace

const PyMethodDef kFunctions[] = {
    with_keywords<kTensor, tensor, false>(
        "tensor",
        "tensor(data, *, dtype=None, device=None, requires_grad=False)\n\n"
        "A tensor with a copy of `data`: a number, nested lists, an array or a tensor."),
    {"from_numpy", from_numpy, METH_O, "from_numpy(ndarray): a tensor on the memory of the array"},
    {"manual_seed", seed, METH_O, "manual_seed(seed): starts the random numbers of this seed"},
    with_keywords<kBackward, backward, false>("_backward", nullptr),
    with_keywords<kGrad, grad, false>("_grad", nullptr),
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS,
     "is_grad_enabled(): do operators of this thread record gradients?"},
    {"_switch_grad", switch_grad, METH_O, nullptr},
    {"is_inference_mode_enabled", is_inference_mode_enabled, METH_NOARGS,
     "is_inference_mode_enabled(): does this thread make inference tensors?"},
    {"_switch_inference", switch_inference, METH_O, nullptr},
    {"get_default_dtype", get_default_dtype, METH_NOARGS,
     "get_default_dtype(): the dtype of Python floats"},
    with_keywords<kSetDefaultDType, change_default_dtype, false>(
        "set_default_dtype", "set_default_dtype(d): the dtype of Python floats from now on"),
    {"get_default_device", get_default_device, METH_NOARGS,
     "get_default_device(): where this thread makes new tensors"},
    with_keywords<kSetDefaultDevice, change_default_device, false>(
        "set_default_device", "set_default_device(device): where this thread makes new tensors"),
    with_keywords<kLoadPlugin, load_plugin, false>(
        "load_device_plugin",
        "load_device_plugin(path): loads a device from a shared library and returns it"),
    {"_set_package_folder", tell_package_folder, METH_O, nullptr},
    {}};

}  // namespace eagre::python
