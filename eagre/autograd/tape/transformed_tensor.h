// Tensors that carry tangents or a batch (transform_meta.h): queries, and making them.
#pragma once

#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {

inline bool has_transform_meta(const TensorImpl& tensor) {
  return tensor.has(TensorImpl::kHasTransformMeta);
}
EAGRE_API TransformMeta* transform_meta_of(const TensorImpl& tensor);  // null for most
EAGRE_API TransformMeta& make_transform_meta(TensorImpl& tensor);
// `to` carries what `from` does, now and later.
EAGRE_API void share_transform_meta(const TensorImpl& from, TensorImpl& to);

// `sample` stands for every sample of `batch`, whose dimension `dim` counts them.
EAGRE_API void set_batch(TensorImpl& sample, TensorBase batch, int64_t dim, Level& level);
// One sample of `batch`, whose dimension `dim` counts samples, standing for all.
EAGRE_API TensorBase batched(TensorBase batch, int64_t dim, Level& level);
// The values of all samples of all batches that a tensor carries, one in the other; for those who
// look whether some value occurs.
EAGRE_API TensorBase all_samples(const TensorBase& tensor);
// Forgets the tangents of all levels.
EAGRE_API void drop_tangents(TensorImpl& tensor);

// The same values without history that carry the same.
EAGRE_API TensorBase without_history(const TensorBase& tensor);

// The tensors among the arguments of an operator that carry something.
class EAGRE_API TransformedInputs {
 public:
  template <class... Arguments>
  explicit TransformedInputs(const Arguments&... arguments) {
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
  const TransformedInputs carriers(arguments...);
  return carriers.batch_level() != nullptr || carriers.are_dual();
}

}  // namespace eagre::autograd
