// Hooks on saved tensors around a backward call.
#pragma once

#include <memory>
#include <vector>

#include <eagre/autograd/saved_tensor.h>

namespace eagre::python {

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
