// Hanging tangents and batches on tensors, and finding them.
#include <eagre/autograd/transforms/carried.h>

#include <eagre/autograd/accumulate.h>

namespace eagre::autograd {

Tangent* Carried::tangent(const Level& level) const {
  for (Tangent* tangent = tangents.get(); tangent != nullptr; tangent = tangent->next.get()) {
    if (tangent->level.get() == &level) return tangent;
  }
  return nullptr;
}

void Carried::set_tangent(Level& level, TensorBase value) {
  for (Tangent* tangent = tangents.get(); tangent != nullptr; tangent = tangent->next.get()) {
    if (tangent->level.get() != &level) continue;
    tangent->value = std::move(value);
    tangent->is_shared = false;
    return;
  }
  auto added = std::make_unique<Tangent>(level, std::move(value));
  added->next = std::move(tangents);
  tangents = std::move(added);
}

Carried* carried_by(const TensorImpl& tensor) {
  if (!carries(tensor)) return nullptr;
  return static_cast<AutogradMeta*>(tensor.autograd.load(std::memory_order_acquire))->carried.get();
}

Carried& make_carried(TensorImpl& tensor) {
  AutogradMeta& meta = autograd_meta(tensor);
  if (!meta.carried) meta.carried = Carried::make();
  tensor.flags |= TensorImpl::kCarries;
  return *meta.carried;
}

void share_carried(const TensorImpl& from, TensorImpl& to) {
  autograd_meta(to).carried = IntrusivePtr<Carried>::share(carried_by(from));
  to.flags |= TensorImpl::kCarries;
  to.key.kind = from.key.kind;
  if (to.key.kind == TensorKind::kBatched) {
    to.key.geometry &= static_cast<uint8_t>(~TensorKey::kSmall);  // no fast path takes it
  }
}

TensorBase without_history(const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get();
  auto alias = TensorBase::adopt(new_alias(impl));
  if (carries(impl)) share_carried(impl, alias.get());
  return alias;
}

void Carriers::add(const TensorBase& tensor) {
  if (!tensor.defined()) return;
  const TensorImpl& impl = tensor.get();
  // The base of a view may have got a tangent after the view was made.
  const bool may_by_base = impl.has(TensorImpl::kIsView) && carries(*impl.view_info().base);
  if (carries(impl) || may_by_base) tensors_.push_back(&impl);
}

Level* Carriers::batch_level() const {
  if (empty()) return nullptr;
  for (Level* level = innermost_level(); level != nullptr; level = level->outer()) {
    if (level->is_dual()) continue;
    for (const TensorImpl* tensor : tensors_) {
      const Carried* carried = carried_by(*tensor);
      if (carried != nullptr && carried->batch_level.get() == level) return level;
    }
  }
  return nullptr;
}

namespace {

bool has_tangent(const TensorImpl& tensor, const Level& level) {
  const auto known = [&](const TensorImpl& of) {
    const Carried* carried = carried_by(of);
    return carried == nullptr ? nullptr : carried->tangent(level);
  };
  const Tangent* tangent = known(tensor);
  if (tangent == nullptr && tensor.has(TensorImpl::kIsView)) {
    tangent = known(*tensor.view_info().base);
  }
  return tangent != nullptr && tangent->value.defined();
}

}  // namespace

bool Carriers::have_tangents(const Level& level) const {
  for (const TensorImpl* tensor : tensors_) {
    if (has_tangent(*tensor, level)) return true;
  }
  return false;
}

bool Carriers::are_dual() const {
  if (empty() || thread_state.modes.tangents_off) return false;
  const Level* batch = batch_level();
  for (Level* level = innermost_level(); level != batch; level = level->outer()) {
    if (level->is_dual() && have_tangents(*level)) return true;
  }
  return false;
}

}  // namespace eagre::autograd
