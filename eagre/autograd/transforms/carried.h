// What a tensor carries for the transforms: tangents, each of one dual level, and at most one
// batch, of which the tensor is the view that a single sample has.
#pragma once

#include <eagre/autograd/transforms/level.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {

struct Tangent {
  Tangent(Level& level, TensorBase value)
      : level(IntrusivePtr<Level>::share(&level)), value(std::move(value)) {
    level.add(*this);
  }
  ~Tangent() { level->remove(*this); }
  Tangent(const Tangent&) = delete;
  Tangent& operator=(const Tangent&) = delete;
  static void* operator new(size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* memory, size_t bytes) { free_block(memory, bytes); }

  IntrusivePtr<Level> level;
  TensorBase value;               // undefined: none, also where the base of a view has one
  bool is_shared = false;         // another tensor has the same: to be copied before it is written
  bool follows_base = false;      // of a view: seen in the tangent of its base, which may change
  std::unique_ptr<Tangent> next;  // of the same tensor
  // Neighbours in the list of the level.
  Tangent* before = nullptr;
  Tangent* after = nullptr;
};

// Shared by a tensor and the alias of it that its own node saves.
class EAGRE_API Carried {
 public:
  static IntrusivePtr<Carried> make() { return IntrusivePtr<Carried>::adopt(new Carried); }
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

inline bool carries(const TensorImpl& tensor) { return tensor.has(TensorImpl::kCarries); }
EAGRE_API Carried* carried_by(const TensorImpl& tensor);  // null for most
EAGRE_API Carried& make_carried(TensorImpl& tensor);
// `to` carries what `from` does, now and later.
EAGRE_API void share_carried(const TensorImpl& from, TensorImpl& to);

// The same values without history that carry the same.
EAGRE_API TensorBase without_history(const TensorBase& tensor);

// The tensors among the arguments of an operator that carry something.
class EAGRE_API Carriers {
 public:
  template <class... Arguments>
  explicit Carriers(const Arguments&... arguments) {
    (add(arguments), ...);
  }
  bool empty() const { return tensors_.empty(); }
  const TensorImpl* const* begin() const { return tensors_.data(); }
  const TensorImpl* const* end() const { return tensors_.data() + tensors_.size(); }

  // The innermost level that is seen and that one of them carries a batch of; or null.
  Level* batch_level() const;
  bool have_tangents(const Level& level) const;
  // Have they tangents of any dual level inside of that?
  bool are_dual() const;

  void add(const TensorBase& tensor);
  void add(const Operand& operand) {
    if (operand.is_tensor()) add(operand.tensor());
  }
  void add(const OptionalOperand& operand) {
    if (operand) add(*operand);
  }
  void add(eagre::TensorList tensors) {
    for (const TensorBase& tensor : tensors) add(tensor);
  }

 private:
  SmallVector<const TensorImpl*, 6> tensors_;
};

// Do operators on these concern a transform?
template <class... Arguments>
bool are_transformed(const Arguments&... arguments) {
  if (!transforms_active()) return false;
  const Carriers carriers(arguments...);
  return carriers.batch_level() != nullptr || carriers.are_dual();
}

}  // namespace eagre::autograd
