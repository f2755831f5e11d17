// The history of views. A view and its base share memory, so a write through one of them changes
// the other, and its gradient: the base gets a new node (copy_slices.h), and the node of every view
// that was made before is stale. A stale view gets a fresh one when somebody asks for it: that of
// the base, seen through the view's strides.
#pragma once

#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

EAGRE_API EAGRE_COLD void refresh_view(TensorImpl& view);

// Before grad_node of a tensor is read.
inline void refresh_history(TensorImpl& tensor) {
  if (tensor.has(TensorImpl::kIsView)) [[unlikely]]
    refresh_view(tensor);
}

// The node that made a tensor, or null for a leaf.
EAGRE_API Node* history_of(const TensorBase& tensor);

// After a recorded write: `node`, whose input 0 is what the tensor was, makes what it is now.
EAGRE_API void rebase_history(IntrusivePtr<Node> node, TensorImpl& written);
// The same after one that only changed how the tensor looks at its memory.
EAGRE_API void rebase_geometry(IntrusivePtr<Node> node, TensorImpl& changed);
// Before one: graphs that hold a leaf go on giving gradients of the shape that it had.
EAGRE_API EAGRE_COLD void prepare_geometry_change(const char* op, TensorImpl& changed);
inline void before_geometry_change(const char* op, const TensorBase& self) {
  TensorImpl& impl = self.get();
  if ((impl.flags & (TensorImpl::kRequiresGrad | TensorImpl::kInference)) != 0) {
    prepare_geometry_change(op, impl);
  }
}
// Before it: an error in the name of `op` where the tensor may not get a new history.
EAGRE_API void check_inplace(const char* op, const TensorBase& self);

}  // namespace eagre::autograd
