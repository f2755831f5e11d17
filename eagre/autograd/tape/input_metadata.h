// What the gradient of an output must look like: its kind, dtype, device and sizes, and on which
// stream of its device the output was made; in 24 bytes.
#pragma once

#include <cstdint>

#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

class InputMetadata {
 public:
  InputMetadata() : small_{} {}
  ~InputMetadata() {
    if (is_large()) clear();
  }
  InputMetadata(const InputMetadata&) = delete;
  InputMetadata& operator=(const InputMetadata&) = delete;

  void set(const TensorImpl& tensor) {
    if (is_large()) [[unlikely]]
      clear();
    set_first(tensor);
  }
  // The same when nothing was set before.
  void set_first(const TensorImpl& tensor) {
    key_ = tensor.key;
    key_.geometry = 0;
    if (!tensor.key.device.is_cpu()) [[unlikely]]
      note_stream();
    const size_t rank = tensor.key.rank;
    if (rank > kSmallDims) [[unlikely]]
      return set_large(tensor);
    uint64_t all = 0;
    for (size_t i = 0; i < rank; ++i) {
      all |= static_cast<uint64_t>(tensor.inline_dims[i]);
      small_[i] = static_cast<uint32_t>(tensor.inline_dims[i]);
    }
    if (all > UINT32_MAX) [[unlikely]]
      set_large(tensor);
  }

  bool matches(const TensorImpl& gradient) const {
    return ((key_.bits() ^ gradient.key.bits()) & ~kGeometryBits) == 0 && same_sizes(gradient);
  }
  DType dtype() const { return key_.dtype; }
  Device device() const { return key_.device; }
  // The id of the stream that was current when the output was made.
  int stream() const { return key_.geometry & ~kLarge; }
  DimVector sizes() const;

 private:
  // Sizes that fit 32 bits are kept inline, others and those of many dimensions elsewhere.
  static constexpr size_t kSmallDims = 4;
  // key_.geometry holds this bit and the stream; it means nothing else here.
  static constexpr uint8_t kLarge = 0x80;
  static constexpr uint64_t kGeometryBits = 0xFFULL << 24;

  bool is_large() const { return (key_.geometry & kLarge) != 0; }
  EAGRE_API void clear();
  EAGRE_API void set_large(const TensorImpl& tensor);
  EAGRE_API EAGRE_COLD void note_stream();
  bool same_sizes(const TensorImpl& gradient) const {
    const int64_t* sizes = gradient.sizes_data();
    if (is_large()) [[unlikely]]
      return gradient.sizes() == Dims(large_, key_.rank);
    for (size_t i = 0; i < key_.rank; ++i) {
      if (sizes[i] != int64_t{small_[i]}) return false;
    }
    return true;
  }

  TensorKey key_;
  union {
    uint32_t small_[kSmallDims];
    int64_t* large_;
  };
};
static_assert(sizeof(InputMetadata) == 24);

}  // namespace eagre::autograd
