// Calling Python functions as hooks.
#include "autograd/hooks.h"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>

#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "types/tensor.h"
#include "types/tuple.h"

namespace eagre::python {
namespace {

using autograd::GradientList;
using autograd::HookHandle;

// A function that is called in whatever thread runs the node, with or without the GIL.
class HookFunction {
 public:
  explicit HookFunction(PyObject* function) : function_(function) {}

  // With the GIL held.
  template <class... Arguments>
  Ref call(const Arguments&... arguments) {
    // The engine goes on with the site of its node; this frame is gone when the lock is.
    struct KeepSite {
      CallSite site = thread_state.site;
      ~KeepSite() { thread_state.site = site; }
    } keep;
    PyObject* list[] = {nullptr, arguments.get()...};
    return Ref(checked(AsleepAtExit().returned(
        PyObject_Vectorcall(function_.get(), list + 1,
                            sizeof...(arguments) | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr))));
  }

  PyObject* function() const { return function_.get(); }

  std::string name() const {
    GilHeld gil;
    const Ref name(PyObject_GetAttrString(function_.get(), "__name__"));
    const char* text = name && PyUnicode_Check(name.get()) ? PyUnicode_AsUTF8(name.get()) : nullptr;
    if (text != nullptr) return concat("hook '", text, "'");
    PyErr_Clear();
    return concat("hook of type '", Py_TYPE(function_.get())->tp_name, "'");
  }

  [[noreturn]] void refuse(const char* expected, PyObject* got) const {
    throw Error(ErrorKind::kType,
                concat(name(), " must return ", expected, ", but got ", describe_type(got)));
  }

  // None: nothing is replaced.
  std::optional<GradientList> gradients(const Ref& result) const {
    if (result.get() == Py_None) return std::nullopt;
    if (!PyTuple_Check(result.get())) refuse("a tuple of gradients or None", result.get());
    GradientList list;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(result.get()); ++i) {
      PyObject* element = PyTuple_GET_ITEM(result.get(), i);
      if (element != Py_None && !is_tensor(element)) refuse("Tensors and None", element);
      list.push_back(element == Py_None ? TensorBase() : tensor_of(element));
    }
    return list;
  }

 private:
  Held function_;
};

class PythonTensorHook final : public autograd::TensorHook {
 public:
  explicit PythonTensorHook(PyObject* function) : function_(function) {}
  std::string name() const override { return function_.name(); }
  void* language_object() const override { return function_.function(); }
  TensorBase call(const TensorBase& gradient) override {
    GilHeld gil;
    const Ref result = function_.call(Ref(checked(wrap(gradient))));
    if (result.get() == Py_None) return {};
    if (!is_tensor(result.get())) function_.refuse("a Tensor or None", result.get());
    return tensor_of(result.get());
  }

 private:
  HookFunction function_;
};

class PythonDictHook final : public autograd::TensorHook {
 public:
  explicit PythonDictHook(PyObject* dict) : dict_(dict) {}
  std::string name() const override { return "a hook in _backward_hooks"; }
  void* language_object() const override { return dict_.get(); }
  TensorBase call(const TensorBase& gradient) override {
    GilHeld gil;
    const Ref functions(checked(PyDict_Values(dict_.get())));
    TensorBase replaced;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(functions.get()); ++i) {
      PythonTensorHook hook(PyList_GET_ITEM(functions.get(), i));
      TensorBase result = hook.call(replaced.defined() ? replaced : gradient);
      if (result.defined()) replaced = std::move(result);
    }
    return replaced;
  }

 private:
  Held dict_;
};

class PythonPreHook final : public autograd::PreHook {
 public:
  explicit PythonPreHook(PyObject* function) : function_(function) {}
  std::string name() const override { return function_.name(); }
  void* language_object() const override { return function_.function(); }
  std::optional<GradientList> call(const GradientList& gradients) override {
    GilHeld gil;
    return function_.gradients(function_.call(tensor_tuple(gradients)));
  }

 private:
  HookFunction function_;
};

class PythonPostHook final : public autograd::PostHook {
 public:
  explicit PythonPostHook(PyObject* function) : function_(function) {}
  std::string name() const override { return function_.name(); }
  void* language_object() const override { return function_.function(); }
  std::optional<GradientList> call(const GradientList& results,
                                   const GradientList& gradients) override {
    GilHeld gil;
    return function_.gradients(function_.call(tensor_tuple(results), tensor_tuple(gradients)));
  }

 private:
  HookFunction function_;
};

class PythonAccumulatedHook final : public autograd::AccumulatedHook {
 public:
  PythonAccumulatedHook(PyObject* function, bool takes_leaf)
      : function_(function), takes_leaf_(takes_leaf) {}
  std::string name() const override { return function_.name(); }
  void* language_object() const override { return function_.function(); }
  void call(const TensorBase& leaf) override {
    GilHeld gil;
    const Ref result = takes_leaf_ ? function_.call(Ref(checked(wrap(leaf)))) : function_.call();
    EAGRE_CHECK(result.get() == Py_None, kAutograd,
                "post accumulate grad hooks should return None, "
                "but ",
                name(), " returned ", describe_type(result.get()));
  }

 private:
  HookFunction function_;
  bool takes_leaf_;
};

// --- handles ---

struct PyHandle {
  PyObject_HEAD HookHandle handle;
};

void dealloc(PyObject* self) {
  reinterpret_cast<PyHandle*>(self)->~PyHandle();
  PyObject_Free(self);
  drop_released();
}

PyObject* remove_hook(PyObject* self, PyObject*) {
  reinterpret_cast<PyHandle*>(self)->handle.remove();
  drop_released();
  Py_RETURN_NONE;
}
PyObject* enter(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyObject* handle_id(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(reinterpret_cast<PyHandle*>(self)->handle);
}

PyMethodDef handle_methods[] = {
    {"remove", remove_hook, METH_NOARGS, "remove(): the hook is not called any more"},
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", remove_hook, METH_VARARGS, nullptr},
    {}};

PyGetSetDef handle_properties[] = {
    {"id", handle_id, nullptr, "tells the hooks of a tensor apart", nullptr}, {}};

PyTypeObject handle_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.autograd.RemovableHandle",
    .tp_basicsize = sizeof(PyHandle),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "Takes a hook away again; as a context manager, at the end of the block.",
    .tp_methods = handle_methods,
    .tp_getset = handle_properties,
};

}  // namespace

void check_hook(const char* op, PyObject* function) {
  if (PyCallable_Check(function) != 0) return;
  raise(ErrorKind::kType,
        ArgumentProblem{op, "hook", "a function of the gradient", describe_type(function)});
}

std::shared_ptr<autograd::TensorHook> new_tensor_hook(PyObject* function) {
  return std::make_shared<PythonTensorHook>(function);
}
std::shared_ptr<autograd::TensorHook> new_dict_hook(PyObject* dict) {
  return std::make_shared<PythonDictHook>(dict);
}

void remove_tensor_hooks(const autograd::Edge& edge) {
  autograd::HookTable* hooks = autograd::hooks_of(*edge.node);
  const auto list = hooks == nullptr ? nullptr : hooks->list(autograd::HookKind::kTensor);
  if (list == nullptr) return;
  for (const auto& registered : *list) {
    const bool is_ours = registered.hook->language_object() != nullptr;
    if (is_ours && registered.slot == edge.slot) hooks->remove(registered.id);
  }
}

std::shared_ptr<autograd::PreHook> new_pre_hook(PyObject* function) {
  return std::make_shared<PythonPreHook>(function);
}
std::shared_ptr<autograd::PostHook> new_post_hook(PyObject* function) {
  return std::make_shared<PythonPostHook>(function);
}
std::shared_ptr<autograd::AccumulatedHook> new_accumulated_hook(PyObject* function,
                                                                bool takes_leaf) {
  return std::make_shared<PythonAccumulatedHook>(function, takes_leaf);
}

PyObject* new_hook_handle(HookHandle handle) {
  auto* object = PyObject_New(PyHandle, &handle_type);
  if (object != nullptr) new (&object->handle) HookHandle(std::move(handle));
  return reinterpret_cast<PyObject*>(object);
}

bool add_hook_handle_type(PyObject* module) {
  return PyType_Ready(&handle_type) == 0 &&
         PyModule_AddObjectRef(module, "_RemovableHandle",
                               reinterpret_cast<PyObject*>(&handle_type)) == 0;
}

}  // namespace eagre::python
