// What the backward engine can be asked and told: callbacks, queries, threads, anomaly mode, and
// graphs as text.
#include <functional>
#include <memory>
#include <string>

#include <eagre/autograd/engine/anomaly.h>
#include <eagre/autograd/engine/current_task.h>
#include <eagre/autograd/engine/device_threads.h>
#include <eagre/autograd/engine/sequential.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/graph_text.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/tensor_base.h>

#include "autograd/node_object.h"
#include "autograd/tables.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "interpreter/site.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

bool is_true(PyObject* object) {
  const int value = PyObject_IsTrue(object);
  if (value < 0) throw PythonError::take();
  return value != 0;
}

std::function<void()> callback_of(const char* op, const char* argument, PyObject* function) {
  if (!PyCallable_Check(function)) {
    raise(ErrorKind::kType, ArgumentProblem{op, argument, "a function", describe_type(function)});
  }
  // Shared: std::function copies what it holds.
  return [held = std::make_shared<Held>(function)] {
    const GilHeld gil;
    const Ref result(checked(AsleepAtExit().returned(PyObject_CallNoArgs(held->get()))));
  };
}

PyObject* queue_callback(PyObject*, PyObject* function) {
  return guarded([&]() -> PyObject* {
    autograd::queue_callback(callback_of("queue_callback", "callback", function));
    Py_RETURN_NONE;
  });
}
PyObject* add_final_hook(PyObject*, PyObject* function) {
  return guarded([&]() -> PyObject* {
    autograd::add_backward_final_hook(callback_of("add_backward_final_hook", "hook", function));
    Py_RETURN_NONE;
  });
}

PyObject* make_sequential(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    const IntrusivePtr<autograd::Node> node = node_in(object);
    if (node == nullptr) {
      raise(ErrorKind::kType,
            ArgumentProblem{"force_sequential", "node", "a Node", describe_type(object),
                            "pass the grad_fn of a tensor"});
    }
    autograd::force_sequential(*node);
    Py_RETURN_NONE;
  });
}

PyObject* task_id(PyObject*, PyObject*) {
  return PyLong_FromLongLong(autograd::current_graph_task_id());
}
PyObject* keeps_graph(PyObject*, PyObject*) {
  return PyBool_FromLong(autograd::current_graph_task_keeps_graph());
}
PyObject* is_partial(PyObject*, PyObject*) {
  return PyBool_FromLong(autograd::current_graph_task_is_partial());
}
PyObject* running_node(PyObject*, PyObject*) {
  return guarded([] { return new_node_object(autograd::current_node()); });
}
PyObject* reaches(PyObject*, PyObject* object) {
  const IntrusivePtr<autograd::Node> node = node_in(object);
  return PyBool_FromLong(node != nullptr && autograd::current_graph_task_reaches(*node));
}
PyObject* execution_order(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    Ref list(checked(PyList_New(0)));
    for (auto& node : autograd::current_graph_task_execution_order()) {
      const Ref object(checked(new_node_object(node)));
      if (PyList_Append(list.get(), object.get()) != 0) throw PythonError::take();
    }
    return list.give();
  });
}

PyObject* set_multithreading(PyObject*, PyObject* enabled) {
  return guarded([&]() -> PyObject* {
    autograd::set_multithreading_enabled(is_true(enabled));
    Py_RETURN_NONE;
  });
}
PyObject* is_multithreading(PyObject*, PyObject*) {
  return PyBool_FromLong(autograd::is_multithreading_enabled());
}

// Returns what was before.
PyObject* switch_grad_layout_policy(PyObject*, PyObject* enforces) {
  return guarded([&] {
    const bool before = autograd::enforces_grad_layout();
    autograd::set_enforces_grad_layout(is_true(enforces));
    return PyBool_FromLong(before ? 1 : 0);
  });
}

PyObject* set_anomaly(PyObject*, PyObject* args) {
  return guarded([&]() -> PyObject* {
    int enabled = 0, check_nan = 1;
    if (PyArg_ParseTuple(args, "pp", &enabled, &check_nan) == 0) throw PythonError::take();
    autograd::AnomalyMode::set_enabled(enabled != 0, check_nan != 0);
    collect_callers(enabled != 0);
    Py_RETURN_NONE;
  });
}
PyObject* is_anomaly(PyObject*, PyObject*) {
  return PyBool_FromLong(autograd::AnomalyMode::is_enabled());
}
PyObject* is_anomaly_nan(PyObject*, PyObject*) {
  return PyBool_FromLong(autograd::AnomalyMode::should_check_nan());
}

PyObject* graph_text(const char* name, std::string (*write)(const TensorBase&), PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(tensor)) {
      raise(ErrorKind::kType, ArgumentProblem{name, "tensor", "a Tensor", describe_type(tensor)});
    }
    return PyUnicode_FromString(write(tensor_of(tensor)).c_str());
  });
}
PyObject* graph_to_dot(PyObject*, PyObject* tensor) {
  return graph_text("to_dot", autograd::to_dot, tensor);
}
PyObject* graph_to_json(PyObject*, PyObject* tensor) {
  return graph_text("to_json", autograd::to_json, tensor);
}

}  // namespace

const PyMethodDef kEngineFunctions[] = {
    {"_queue_callback", queue_callback, METH_O, nullptr},
    {"_add_backward_final_hook", add_final_hook, METH_O, nullptr},
    {"_force_sequential", make_sequential, METH_O, nullptr},
    {"_current_graph_task_id", task_id, METH_NOARGS, nullptr},
    {"_get_current_graph_task_keep_graph", keeps_graph, METH_NOARGS, nullptr},
    {"_current_graph_task_is_partial", is_partial, METH_NOARGS, nullptr},
    {"_current_autograd_node", running_node, METH_NOARGS, nullptr},
    {"_current_graph_task_reaches", reaches, METH_O, nullptr},
    {"_will_engine_execute_node", reaches, METH_O, nullptr},
    {"_current_graph_task_execution_order", execution_order, METH_NOARGS, nullptr},
    {"_set_multithreading_enabled", set_multithreading, METH_O, nullptr},
    {"_is_multithreading_enabled", is_multithreading, METH_NOARGS, nullptr},
    {"_switch_grad_layout_policy", switch_grad_layout_policy, METH_O, nullptr},
    {"_set_anomaly_enabled", set_anomaly, METH_VARARGS, nullptr},
    {"is_anomaly_enabled", is_anomaly, METH_NOARGS, "is_anomaly_enabled(): is anomaly mode on?"},
    {"is_anomaly_check_nan_enabled", is_anomaly_nan, METH_NOARGS,
     "is_anomaly_check_nan_enabled(): does anomaly mode look for NaN?"},
    {"_graph_to_dot", graph_to_dot, METH_O, nullptr},
    {"_graph_to_json", graph_to_json, METH_O, nullptr},
    {}};

}  // namespace eagre::python
