// Sizes of slots, small and large.
#include <eagre/autograd/slot_meta.h>

namespace eagre::autograd {

void SlotMeta::clear() {
  if (is_large()) delete[] large_;
  key_.geometry = 0;
}

void SlotMeta::set(const TensorImpl& tensor) {
  clear();
  key_ = tensor.key;
  key_.geometry = 0;
  const Dims sizes = tensor.sizes();
  bool fits = sizes.size() <= kSmallDims;
  for (int64_t size : sizes) fits &= size <= UINT32_MAX;
  if (fits) [[likely]] {
    for (size_t i = 0; i < sizes.size(); ++i) small_[i] = static_cast<uint32_t>(sizes[i]);
    return;
  }
  large_ = new int64_t[sizes.size()];
  key_.geometry = kLarge;
  for (size_t i = 0; i < sizes.size(); ++i) large_[i] = sizes[i];
}

DimVector SlotMeta::sizes() const {
  DimVector result(key_.rank);
  for (size_t i = 0; i < key_.rank; ++i) result[i] = is_large() ? large_[i] : int64_t{small_[i]};
  return result;
}

}  // namespace eagre::autograd
