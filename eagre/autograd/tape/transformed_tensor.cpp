// Attaching tangents and batches to tensors, and finding them.
#include <eagre/autograd/tape/transformed_tensor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::autograd {

TransformMeta* transform_meta_of(const TensorImpl& tensor) {
  if (!has_transform_meta(tensor)) return nullptr;
  return static_cast<AutogradMeta*>(tensor.autograd.load(std::memory_order_acquire))
      ->transform_meta.get();
}

TransformMeta& make_transform_meta(TensorImpl& tensor) {
  AutogradMeta& meta = autograd_meta(tensor);
  if (!meta.transform_meta) meta.transform_meta = TransformMeta::make();
  tensor.flags |= TensorImpl::kHasTransformMeta;
  return *meta.transform_meta;
}

void share_transform_meta(const TensorImpl& from, TensorImpl& to) {
  autograd_meta(to).transform_meta = IntrusivePtr<TransformMeta>::share(transform_meta_of(from));
  to.flags |= TensorImpl::kHasTransformMeta;
  to.key.kind = from.key.kind;
  if (to.key.kind == TensorKind::kBatched) {
    to.key.geometry &= static_cast<uint8_t>(~TensorKey::kSmall);  // no fast path takes it
  }
}

namespace {

DimVector without(Dims values, int64_t place) {
  DimVector rest;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != static_cast<size_t>(place)) rest.push_back(values[i]);
  }
  return rest;
}

}  // namespace

void set_batch(TensorImpl& sample, TensorBase batch, int64_t dim, Level& level) {
  sample.key.kind = TensorKind::kBatched;
  sample.key.geometry &= static_cast<uint8_t>(~TensorKey::kSmall);  // no fast path takes it
  TransformMeta& meta = make_transform_meta(sample);
  meta.batch_level = IntrusivePtr<Level>::share(&level);
  meta.batch = std::move(batch);
  meta.batch_dim = dim;
}

TensorBase batched(TensorBase batch, int64_t dim, Level& level) {
  const TensorImpl& all = batch.get();
  auto sample = TensorBase::adopt(new_alias(all));
  set_geometry(sample.get(), IntrusivePtr<Storage>::share(all.storage), without(all.sizes(), dim),
               without(all.strides(), dim), all.offset);
  set_batch(sample.get(), std::move(batch), dim, level);
  return sample;
}

TensorBase all_samples(const TensorBase& tensor) {
  const TransformMeta* meta = transform_meta_of(tensor.get());
  return meta == nullptr || !meta->batch_level ? tensor : all_samples(meta->batch);
}

void drop_tangents(TensorImpl& tensor) {
  if (TransformMeta* meta = transform_meta_of(tensor)) meta->tangents.reset();
}

TensorBase without_history(const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get();
  auto alias = TensorBase::adopt(new_alias(impl));
  if (has_transform_meta(impl)) share_transform_meta(impl, alias.get());
  return alias;
}

void TransformedInputs::add(const TensorBase& tensor) {
  if (!tensor.defined()) return;
  const TensorImpl& impl = tensor.get();
  // The base of a view may have got a tangent after the view was made.
  const bool may_by_base =
      impl.has(TensorImpl::kIsView) && has_transform_meta(*impl.view_info().base);
  if (has_transform_meta(impl) || may_by_base) tensors_.push_back(&impl);
}

Level* TransformedInputs::batch_level() const {
  if (empty()) return nullptr;
  for (Level* level = innermost_level(); level != nullptr; level = level->outer()) {
    if (level->is_dual()) continue;
    for (const TensorImpl* tensor : tensors_) {
      const TransformMeta* meta = transform_meta_of(*tensor);
      if (meta != nullptr && meta->batch_level.get() == level) return level;
    }
  }
  return nullptr;
}

namespace {

bool has_tangent(const TensorImpl& tensor, const Level& level) {
  const auto known = [&](const TensorImpl& of) {
    const TransformMeta* meta = transform_meta_of(of);
    return meta == nullptr ? nullptr : meta->tangent(level);
  };
  const Tangent* tangent = known(tensor);
  if (tangent == nullptr && tensor.has(TensorImpl::kIsView)) {
    tangent = known(*tensor.view_info().base);
  }
  return tangent != nullptr && tangent->value.defined();
}

}  // namespace

bool TransformedInputs::have_tangents(const Level& level) const {
  for (const TensorImpl* tensor : tensors_) {
    if (has_tangent(*tensor, level)) return true;
  }
  return false;
}

bool TransformedInputs::are_dual() const {
  if (empty() || thread_state.modes.tangents_off) return false;
  const Level* batch = batch_level();
  for (Level* level = innermost_level(); level != batch; level = level->outer()) {
    if (level->is_dual() && have_tangents(*level)) return true;
  }
  return false;
}

}  // namespace eagre::autograd
