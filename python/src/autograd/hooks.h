// Python functions as hooks, and the handle that takes them away again.
#pragma once

#include <memory>

#include <eagre/autograd/tape/hooks.h>

#include "interpreter/object.h"

namespace eagre::python {

// Raises unless `function` can be called; `op` is what it was given to.
void check_hook(const char* op, PyObject* function);

std::shared_ptr<autograd::TensorHook> new_tensor_hook(PyObject* function);
// Calls the functions that are in a dict then.
std::shared_ptr<autograd::TensorHook> new_dict_hook(PyObject* dict);
// Takes away the hooks of Python on the gradient that flows there.
void remove_tensor_hooks(const autograd::Edge& edge);
std::shared_ptr<autograd::PreHook> new_pre_hook(PyObject* function);
std::shared_ptr<autograd::PostHook> new_post_hook(PyObject* function);
// Called with the leaf, or with nothing (Paddle's "reduce hook").
std::shared_ptr<autograd::AccumulatedHook> new_accumulated_hook(PyObject* function,
                                                                bool takes_leaf);

PyObject* new_hook_handle(autograd::HookHandle handle);
bool add_hook_handle_type(PyObject* module);

}  // namespace eagre::python
