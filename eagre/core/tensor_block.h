// The layout of the block that a tensor, its storage header and perhaps its bytes share.
#pragma once

#include <eagre/core/tensor_impl.h>

namespace eagre {

constexpr size_t kInlineDataOffset = sizeof(TensorImpl) + sizeof(Storage);
constexpr size_t kMaxInlineBytes = kMaxPooledBytes - kInlineDataOffset;
static_assert(kInlineDataOffset % 16 == 0, "inline bytes must be aligned for vector loads");

inline Storage* embedded_storage(TensorImpl* impl) { return reinterpret_cast<Storage*>(impl + 1); }

inline size_t block_bytes(const Storage& embedded) {
  if (embedded.has(Storage::kInline)) return kInlineDataOffset + embedded.bytes;
  return kInlineDataOffset + (embedded.has(Storage::kMovedOut) ? embedded.room : 0);
}

// One of impl and embedded storage has ended; the block goes with the second.
inline void drop_block_part(Storage& embedded) {
  if (embedded.parts.load(std::memory_order_acquire) == 1 ||
      embedded.parts.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    free_block(reinterpret_cast<TensorImpl*>(&embedded) - 1, block_bytes(embedded));
  }
}

}  // namespace eagre
