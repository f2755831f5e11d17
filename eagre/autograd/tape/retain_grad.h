// The gradient of tensors that are not leaves: kept by a hook that follows the tensor, not its
// node, and that does not keep the tensor alive.
#pragma once

#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

// From now on backward() adds to .grad of this tensor; a leaf has that anyway.
EAGRE_API void retain_grad(const TensorBase& tensor);
EAGRE_API bool retains_grad(const TensorBase& tensor);

// `tensor` is about to become the result of slot `slot` of `node`, or a leaf when there is none.
EAGRE_API EAGRE_COLD void move_retained_grad(TensorImpl& tensor, Node* node, uint32_t slot);
inline void follow_history(TensorImpl& tensor, Node* node, uint32_t slot) {
  if (tensor.autograd.load(std::memory_order_acquire) != nullptr) [[unlikely]]
    move_retained_grad(tensor, node, slot);
}

}  // namespace eagre::autograd
