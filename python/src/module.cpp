// The extension module eagre._C: types, exceptions, functions, and the handlers that the library
// calls when it needs something of the language.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <eagre/base/blocking.h>
#include <eagre/base/flags.h>
#include <eagre/base/interrupt.h>
#include <eagre/base/site_table.h>
#include <eagre/base/warn.h>

#include "autograd/context_object.h"
#include "autograd/function_class.h"
#include "autograd/node_object.h"
#include "autograd/tables.h"
#include "call/custom_op.h"
#include "call/tables.h"
#include "interop/tables.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "interpreter/site.h"
#include "nn/module_object.h"
#include "runtime/stream.h"
#include "runtime/tables.h"
#include "tensor/parts.h"
#include "tensor/tables.h"
#include "tensor/type.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/generator.h"
#include "types/layout.h"
#include "types/memory_format.h"
#include "types/size.h"

namespace eagre::python {
namespace {

// A thread that waits for another one must not keep it from running Python.
void* let_go() { return PyGILState_Check() != 0 ? PyEval_SaveThread() : nullptr; }
void take_back(void* state) {
  if (state != nullptr) PyEval_RestoreThread(static_cast<PyThreadState*>(state));
}

// A function with a full name, "nn.functional.relu", is one of that module of the package, which
// takes it from here as "_nn_functional_relu".
bool add_to_namespace(PyObject* module, PyMethodDef& function) {
  const std::string full = function.ml_name;
  const size_t dot = full.rfind('.');
  std::string attribute = "_" + full;
  std::replace(attribute.begin(), attribute.end(), '.', '_');
  function.ml_name += dot + 1;
  const Ref space(PyUnicode_FromString(("eagre." + full.substr(0, dot)).c_str()));
  const Ref made(space ? PyCFunction_NewEx(&function, nullptr, space.get()) : nullptr);
  return made && PyModule_AddObjectRef(module, attribute.c_str(), made.get()) == 0;
}

bool add_functions(PyObject* module) {
  // As long as the module, which is for ever.
  auto& functions = *new std::vector<PyMethodDef>;
  auto& in_namespaces = *new std::vector<PyMethodDef>;
  const auto add = [&](const PyMethodDef* list) {
    for (; list->ml_name != nullptr; ++list) {
      const bool has_namespace = std::strchr(list->ml_name, '.') != nullptr;
      (has_namespace ? in_namespaces : functions).push_back(*list);
    }
  };
  for (const PyMethodDef* list : generated_functions()) add(list);
  for (const PyMethodDef* list :
       {kCreationFunctions,   kSettingsFunctions,      kAutogradFunctions,   kSavedHookFunctions,
        kWriteWatchFunctions, kCheckpointFunctions,    kDTypeFunctions,      kRuntimeFunctions,
        kEngineFunctions,     kFunctionClassFunctions, kStreamFunctions,     kCustomOpFunctions,
        kTransformFunctions,  kFuncFunctions,          kFunctionalFunctions, kTreeFunctions,
        kLazyMethodFunctions, kDLPackFunctions,        kStorageFunctions,    kResultFunctions,
        kOverrideFunctions,   kModuleFunctions}) {
    add(list);
  }
  functions.push_back({});
  const auto adds = [&](PyMethodDef& function) { return add_to_namespace(module, function); };
  return PyModule_AddFunctions(module, functions.data()) == 0 &&
         std::all_of(in_namespaces.begin(), in_namespaces.end(), adds);
}

PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "eagre._C",
    .m_doc = "The compiled part of eagre.",
    .m_size = -1,
};

PyObject* make_module() {
  Ref module(PyModule_Create(&definition));
  if (!module || !add_exceptions(module.get()) || !add_dtypes(module.get()) ||
      !add_device_type(module.get()) || !add_memory_formats(module.get()) ||
      !add_layouts(module.get()) || !add_size_type(module.get()) ||
      !add_generator_type(module.get()) || !add_stream_types(module.get()) ||
      !add_node_types(module.get()) || !add_context_type(module.get()) ||
      !add_override_types(module.get()) || !add_tensor_type(module.get()) ||
      !add_custom_op_type(module.get()) || !add_module_base(module.get()) ||
      !add_functions(module.get())) {
    return nullptr;
  }
  set_language_site_resolver(current_site_id);
  set_warning_handler(warn_in_python);
  set_blocking_handlers({let_go, take_back});
  set_interrupt_check(raise_pending_signals);
  for (const std::string& problem : environment_problems()) warn(problem);
  return module.give();
}

}  // namespace
}  // namespace eagre::python

// NOLINTNEXTLINE: the name that the import system looks for
PyMODINIT_FUNC PyInit__C() {
  return eagre::python::guarded([] { return eagre::python::make_module(); });
}
