// What a user's subclass of autograd.Function says about itself.
#pragma once

#include "interpreter/errors.h"

namespace eagre::python {

// The methods that every Function has, whether the user wrote them or not.
enum class FunctionMethod : uint8_t { kForward, kSetupContext, kBackward, kVjp, kJvp, kVmap };

// The method of a class; raises if it has none.
Ref function_method(PyObject* function, FunctionMethod method);
// Is it the user's own, not that of Function?
bool is_own_method(PyObject* method_object, FunctionMethod method);
bool has_own_method(PyObject* function, FunctionMethod method);

// Flags that a class can set.
enum class FunctionFlag : uint8_t { kBoxedGrads, kClearOnAccess, kGenerateVmapRule };
bool function_flag(PyObject* function, FunctionFlag flag);

std::string function_name(PyObject* function);

// From Python: what is defined there.
struct FunctionSupport {
  PyObject* bind_arguments = nullptr;  // (forward, skipped, args, kwargs) -> (args, kwargs)
  PyObject* vmap_info = nullptr;       // (batch_size, randomness)
};
const FunctionSupport& function_support();

extern const PyMethodDef kFunctionClassFunctions[];

}  // namespace eagre::python
