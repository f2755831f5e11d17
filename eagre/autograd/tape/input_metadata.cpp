// The rarer half of what a node knows of a slot: sizes that do not fit inline, and streams.
#include <eagre/autograd/tape/input_metadata.h>

#include <cstddef>
#include <cstdint>

#include <eagre/base/block_pool.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/stream.h>

namespace eagre::autograd {

void InputMetadata::clear() {
  free_block(large_, key_.rank * sizeof(int64_t));
  key_.geometry = 0;
}

void InputMetadata::set_large(const TensorImpl& tensor) {
  const Dims sizes = tensor.sizes();
  large_ = static_cast<int64_t*>(allocate_block(sizes.size() * sizeof(int64_t)));
  key_.geometry |= kLarge;
  for (size_t i = 0; i < sizes.size(); ++i) large_[i] = sizes[i];
}

void InputMetadata::note_stream() {
  static_assert(Stream::kPoolSize < kLarge);
  key_.geometry = static_cast<uint8_t>(current_stream(key_.device).id());
}

DimVector InputMetadata::sizes() const {
  DimVector result(key_.rank);
  for (size_t i = 0; i < key_.rank; ++i) result[i] = is_large() ? large_[i] : int64_t{small_[i]};
  return result;
}

}  // namespace eagre::autograd
