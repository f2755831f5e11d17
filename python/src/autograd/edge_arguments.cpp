// Tensors and gradient edges from single objects, sequences, sets and dicts.
#include "autograd/edge_arguments.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/engine.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/tensor_base.h>

#include "autograd/node_object.h"
#include "call/arguments.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/tensor.h"

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
  const size_t output_nr = PyLong_AsSize_t(PyTuple_GET_ITEM(object, 1));
  if (PyErr_Occurred() != nullptr) throw PythonError::take();
  EAGRE_CHECK(output_nr < node->slot_count(), kIndex, "GradientEdge: ", node->name(), " has ",
              node->slot_count(), " outputs, but output_nr is ", output_nr);
  return {std::move(node), static_cast<uint32_t>(output_nr)};
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

}  // namespace eagre::python
