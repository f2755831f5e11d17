// The tangents of a tensor, a list by level.
#include <eagre/autograd/tape/transform_meta.h>

#include <memory>
#include <utility>

#include <eagre/autograd/tape/level.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

Tangent* TransformMeta::tangent(const Level& level) const {
  for (Tangent* tangent = tangents.get(); tangent != nullptr; tangent = tangent->next.get()) {
    if (tangent->level.get() == &level) return tangent;
  }
  return nullptr;
}

void TransformMeta::set_tangent(Level& level, TensorBase value) {
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

}  // namespace eagre::autograd
