// The extension module eagre._C: types, exceptions, functions, and the handlers that the library
// calls when it needs something of the language.
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

bool add_functions(PyObject* module) {
  auto& functions = *new std::vector<PyMethodDef>;  // as long as the module, which is for ever
  const auto add = [&](const PyMethodDef* list) {
    for (; list->ml_name != nullptr; ++list) functions.push_back(*list);
  };
  for (const PyMethodDef* list : generated_functions()) add(list);
  for (const PyMethodDef* list :
       {kCreationFunctions,   kSettingsFunctions,      kAutogradFunctions,   kSavedHookFunctions,
        kWriteWatchFunctions, kCheckpointFunctions,    kDTypeFunctions,      kRuntimeFunctions,
        kEngineFunctions,     kFunctionClassFunctions, kStreamFunctions,     kCustomOpFunctions,
        kTransformFunctions,  kFuncFunctions,          kFunctionalFunctions, kTreeFunctions,
        kLazyMethodFunctions, kDLPackFunctions,        kStorageFunctions,    kResultFunctions,
        kOverrideFunctions}) {
    add(list);
  }
  functions.push_back({});
  return PyModule_AddFunctions(module, functions.data()) == 0;
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
      !add_custom_op_type(module.get()) || !add_functions(module.get())) {
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
