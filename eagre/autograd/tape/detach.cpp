// detach() and similar, and exchanging the memory behind a tensor (set_data).
#include <eagre/autograd/tape/detach.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/dtype.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::autograd {

TensorBase detach(const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get();
  const TransformMeta* meta = transform_meta_of(impl);
  if (meta == nullptr || !meta->batch_level) [[likely]]
    return TensorBase::adopt(new_alias(impl));
  Level& level = *meta->batch_level;
  return batched(detach(meta->batch), meta->batch_dim, level);
}

TensorBase variable_data(const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get();
  const TransformMeta* meta = transform_meta_of(impl);
  if (meta == nullptr || !meta->batch_level) [[likely]]
    return TensorBase::adopt(new_unversioned_alias(impl));
  return batched(variable_data(meta->batch), meta->batch_dim, *meta->batch_level);
}

namespace {

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

}  // namespace

void share_memory(TensorImpl& tensor, const TensorImpl& from) {
  for (const TensorImpl* each : {static_cast<const TensorImpl*>(&tensor), &from}) {
    EAGRE_CHECK(each->key.kind != TensorKind::kBatched, kAutograd,
                "vmap: the memory of a tensor that stands for all samples of a batch (.data, "
                "set_()) cannot be exchanged. Hint: copy_() writes values");
  }
  keep_memory_of_views(tensor);
  // An embedded counter lives as long as the tensor, so the tensor keeps it.
  VersionCounter* version = tensor.has(TensorImpl::kHasEmbeddedStorage) ? tensor.version : nullptr;
  set_geometry(tensor, IntrusivePtr<Storage>::share(from.storage), from.sizes(), from.strides(),
               from.offset);
  if (version != nullptr) tensor.version = version;
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
  drop_tangents(impl);
  impl.key.dtype = from.key.dtype;
  share_memory(impl, from);
}

namespace {

void drop_history(TensorImpl& tensor) {
  drop_tangents(tensor);
  follow_history(tensor, nullptr, 0);
  tensor.flags &= static_cast<uint16_t>(~TensorImpl::kRequiresGrad);
  tensor.output_slot = 0;
  GraphObject* old = std::exchange(tensor.grad_node, nullptr);
  if (old != nullptr) old->release();
}

}  // namespace

void detach_in_place(const TensorBase& tensor) {
  EAGRE_CHECK(!tensor.is_view(), kAutograd,
              "Can't detach views in-place. Hint: detach() makes a new tensor");
  // Nodes that saved it as a result find out when they need it.
  if (tensor.get().grad_node != nullptr) tensor.get().flags |= TensorImpl::kWasDetached;
  drop_history(tensor.get());
}

void set_stop_gradient(const TensorBase& tensor, bool stop) {
  TensorImpl& impl = tensor.get();
  if (stop) {
    drop_history(impl);
    impl.flags |= TensorImpl::kStopsGradient;
    return;
  }
  const bool was_stopped_view = impl.has(TensorImpl::kStopsGradient) && tensor.is_view();
  impl.flags &= static_cast<uint16_t>(~TensorImpl::kStopsGradient);
  if (was_stopped_view) {  // the history it dropped is that of its base: it is stale now
    impl.view_info().stamp.store(tensor.version() - 1, std::memory_order_release);
  }
  if (!impl.requires_grad()) set_requires_grad(tensor, true);
}

void reset_inplace_version(const TensorBase& tensor) {
  tensor.get().version->value.store(0, std::memory_order_relaxed);
}

}  // namespace eagre::autograd
