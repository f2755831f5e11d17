// Hooks on saved tensors around a backward call.
#pragma once

#include <memory>
#include <vector>

#include <eagre/autograd/tape/saved_tensor.h>

#include "interpreter/object.h"

namespace eagre::python {

// Two Python functions as hooks; `op` is what they were given to, for errors.
std::shared_ptr<autograd::PackHooks> new_saved_hooks(const char* op, PyObject* pack,
                                                     PyObject* unpack);
// What such hooks packed, as a new reference; a tensor if the hooks are C++.
PyObject* packed_object(const autograd::SavedTensor::Kept& kept);
// The function that undoes it; None without hooks, and for those of C++.
PyObject* unpack_function(const autograd::SavedTensor::Kept& kept);

// From now on this thread saves through these hooks, until _pop_saved_tensor_hooks().
void push_saved_hooks(std::shared_ptr<autograd::PackHooks> hooks);

using SavedHookScopes = std::vector<std::unique_ptr<autograd::SavedTensorHookScope>>;

// What hooks in a backward call of this thread begin or end too often is undone at the end of it:
// the scopes that were there before stay alive and come back.
class SavedHooksOfCall {
 public:
  SavedHooksOfCall();
  ~SavedHooksOfCall();
  SavedHooksOfCall(const SavedHooksOfCall&) = delete;
  SavedHooksOfCall& operator=(const SavedHooksOfCall&) = delete;

 private:
  SavedHookScopes before_;
  void* current_before_;
};

}  // namespace eagre::python
