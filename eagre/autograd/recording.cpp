// Which tensors may be written in place while gradients are recorded.
#include <eagre/autograd/recording.h>

namespace eagre::autograd {

void check_inplace(const char* op, const TensorBase& self) {
  const TensorImpl& impl = self.get();
  EAGRE_CHECK(
      impl.grad_node != nullptr || !impl.has(TensorImpl::kRequiresGrad), kAutograd, op,
      "(): a leaf Variable that requires grad is being used in an in-place operation. Hint: "
      "do it under no_grad(), or use the form that makes a new tensor");
  const bool shared =
      impl.has(TensorImpl::kIsView) || (impl.storage->has(Storage::kHasViews) &&
                                        impl.storage->refs.load(std::memory_order_relaxed) > 1);
  EAGRE_CHECK(
      !shared, kUnimplemented, op,
      "(): recording the gradient of an in-place operator on a view, or on a tensor that has "
      "views, is not supported. Hint: use the form that makes a new tensor");
}

}  // namespace eagre::autograd
