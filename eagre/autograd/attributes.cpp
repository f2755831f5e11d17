// The memory behind a tensor (.data), detach_() and grad_dtype.
#include <eagre/autograd/attributes.h>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/retain_grad.h>
#include <eagre/autograd/tensor_extras.h>
#include <eagre/autograd/view_history.h>

namespace eagre::autograd {

TensorBase variable_data(const TensorBase& tensor) {
  return TensorBase::adopt(new_unversioned_alias(tensor.get()));
}

void keep_memory_of_views(TensorImpl& tensor) {
  // Nobody else having the tensor means that there are no views.
  const bool may_have_views = tensor.refs.load(std::memory_order_acquire) > 1;
  if (may_have_views && !tensor.has(TensorImpl::kHoldsBase)) {
    auto& former = autograd_meta(tensor).make_extras().former;
    former.push_back(IntrusivePtr<Storage>::share(tensor.storage));
  } else if (auto* meta = static_cast<AutogradMeta*>(tensor.autograd.load())) {
    if (meta->extras != nullptr) meta->extras->former.clear();
  }
}

void set_data(const TensorBase& tensor, const TensorBase& data) {
  TensorImpl& impl = tensor.get();
  const TensorImpl& from = data.get();
  EAGRE_CHECK(!tensor.requires_grad() || is_differentiable(from.key.dtype), kAutograd,
              "data set to a tensor that requires gradients must be floating point or complex "
              "dtype, but got ",
              from.key.dtype);
  if (&impl == &from) return;
  refresh_history(impl);
  keep_memory_of_views(impl);
  // An embedded counter lives as long as the tensor, so the tensor keeps it.
  VersionCounter* version = impl.has(TensorImpl::kHasEmbeddedStorage) ? impl.version : nullptr;
  impl.key.dtype = from.key.dtype;
  set_geometry(impl, IntrusivePtr<Storage>::share(from.storage), from.sizes(), from.strides(),
               from.offset);
  if (version != nullptr) impl.version = version;
}

void detach_in_place(const TensorBase& tensor) {
  TensorImpl& impl = tensor.get();
  EAGRE_CHECK(!tensor.is_view(), kAutograd,
              "Can't detach views in-place. Hint: detach() makes a new tensor");
  follow_history(impl, nullptr, 0);
  impl.flags &= static_cast<uint16_t>(~TensorImpl::kRequiresGrad);
  impl.output_slot = 0;
  GraphObject* old = std::exchange(impl.grad_node, nullptr);
  if (old != nullptr) old->release();
}

std::optional<DType> grad_dtype(const TensorBase& tensor) {
  const auto* meta = static_cast<AutogradMeta*>(tensor.get().autograd.load());
  if (meta == nullptr || meta->extras == nullptr) return tensor.dtype();
  if (meta->extras->any_grad_dtype) return std::nullopt;
  return meta->extras->grad_dtype.value_or(tensor.dtype());
}

void set_grad_dtype(const TensorBase& leaf, std::optional<DType> dtype) {
  EAGRE_CHECK(leaf.is_leaf(), kAutograd, "grad_dtype can only be set on leaf tensors");
  EAGRE_CHECK(!dtype || is_differentiable(*dtype), kInvalidArgument,
              "grad_dtype must be a floating-point or complex dtype, but got ", *dtype);
  const TensorBase grad = grad_of(leaf);
  EAGRE_CHECK(!grad.defined() || !dtype || grad.dtype() == *dtype, kAutograd,
              "cannot set grad_dtype to ", *dtype, " because there is already a gradient of dtype ",
              grad.dtype(), ". Hint: clear it first: .grad = None");
  TensorExtras& extras = autograd_meta(leaf.get()).make_extras();
  extras.grad_dtype = dtype;
  extras.any_grad_dtype = !dtype;
}

}  // namespace eagre::autograd
