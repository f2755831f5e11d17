// What a tensor carries for the transforms: tangents, each of one dual level, and at most one
// batch, of which the tensor is the view that a single sample has.
#pragma once

#include <eagre/autograd/tape/level.h>

namespace eagre::autograd {

// Shared by a tensor and the alias of it that its own node saves.
class EAGRE_API TransformMeta {
 public:
  static IntrusivePtr<TransformMeta> make() {
    return IntrusivePtr<TransformMeta>::adopt(new TransformMeta);
  }
  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  static void* operator new(size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* memory, size_t bytes) { free_block(memory, bytes); }

  // That of a level, if something is known of it.
  Tangent* tangent(const Level& level) const;
  void set_tangent(Level& level, TensorBase value);

  IntrusivePtr<Level> batch_level;  // null: no batch
  TensorBase batch;                 // all samples
  int64_t batch_dim = 0;            // which dimension of it counts them
  std::unique_ptr<Tangent> tangents;

 private:
  std::atomic<uint32_t> refs_{1};
};

}  // namespace eagre::autograd
