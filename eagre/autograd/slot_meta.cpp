// Sizes of slots that do not fit inline.
#include <eagre/autograd/slot_meta.h>

namespace eagre::autograd {

void SlotMeta::clear() {
  free_block(large_, key_.rank * sizeof(int64_t));
  key_.geometry = 0;
}

void SlotMeta::set_large(const TensorImpl& tensor) {
  const Dims sizes = tensor.sizes();
  large_ = static_cast<int64_t*>(allocate_block(sizes.size() * sizeof(int64_t)));
  key_.geometry = kLarge;
  for (size_t i = 0; i < sizes.size(); ++i) large_[i] = sizes[i];
}

DimVector SlotMeta::sizes() const {
  DimVector result(key_.rank);
  for (size_t i = 0; i < key_.rank; ++i) result[i] = is_large() ? large_[i] : int64_t{small_[i]};
  return result;
}

}  // namespace eagre::autograd
