// Results that were computed in another order of dimensions.
#pragma once

#include <eagre/core/tensor_base.h>

namespace eagre::ops {

// `view` is `whole` with its dimensions in another order, and all that is left of it. If it is
// neither recorded nor carries anything, it becomes no view, which would remember what mode it was
// made in.
inline TensorBase as_new_tensor(const TensorBase& view, const TensorBase& whole) {
  if (view.requires_grad() || view.get().has(TensorImpl::kHasTransformMeta)) return view;
  return TensorBase::adopt(new_tensor_on(IntrusivePtr<Storage>::share(whole.get().storage),
                                         view.sizes(), view.strides(), view.dtype()));
}

}  // namespace eagre::ops
