// What the gradient of an output must look like: its kind, dtype, device and sizes, in 32 bytes.
#pragma once

#include <cstdint>

#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

class SlotMeta {
 public:
  SlotMeta() : small_{} {}
  ~SlotMeta() { clear(); }
  SlotMeta(const SlotMeta&) = delete;
  SlotMeta& operator=(const SlotMeta&) = delete;

  void set(const TensorImpl& tensor);

  bool matches(const TensorImpl& gradient) const {
    return ((key_.bits() ^ gradient.key.bits()) & ~kGeometryBits) == 0 && same_sizes(gradient);
  }
  DType dtype() const { return key_.dtype; }
  Device device() const { return key_.device; }
  DimVector sizes() const;

 private:
  // Sizes that fit 32 bits and 6 dimensions are kept inline, others on the heap.
  static constexpr size_t kSmallDims = 6;
  static constexpr uint8_t kLarge = 0x80;  // in key_.geometry, which means nothing else here
  static constexpr uint64_t kGeometryBits = 0xFFULL << 24;

  bool is_large() const { return (key_.geometry & kLarge) != 0; }
  void clear();
  bool same_sizes(const TensorImpl& gradient) const {
    const int64_t* sizes = gradient.sizes_data();
    for (size_t i = 0; i < key_.rank; ++i) {
      if (sizes[i] != (is_large() ? large_[i] : int64_t{small_[i]})) return false;
    }
    return true;
  }

  TensorKey key_;
  union {
    uint32_t small_[kSmallDims];
    int64_t* large_;
  };
};
static_assert(sizeof(SlotMeta) == 32);

}  // namespace eagre::autograd
