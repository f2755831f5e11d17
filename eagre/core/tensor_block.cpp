// Making and releasing tensors.
#include <eagre/core/tensor_block.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <eagre/base/block_pool.h>
#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/device.h>
#include <eagre/core/device_allocators.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_impl.h>

namespace eagre {
namespace {

constexpr size_t dims_bytes(size_t rank) { return 2 * rank * sizeof(int64_t); }

int64_t* new_dims(size_t rank) {
  const size_t bytes = dims_bytes(rank);  // at most kMaxDims dimensions, so at most 1 KiB
  static_assert(dims_bytes(kMaxDims) <= kMaxPooledBytes);
  return static_cast<int64_t*>(allocate_block(bytes));
}

// The impl has no dimensions on the heap yet. Nothing has changed when this throws.
EAGRE_INLINE void put_geometry(TensorImpl& impl, Dims sizes, Dims strides) {
  const size_t rank = sizes.size();
  int64_t* size_out = impl.inline_dims;
  int64_t* stride_out = impl.inline_dims + TensorImpl::kInlineDims;
  if (rank > TensorImpl::kInlineDims) {
    impl.heap_dims = new_dims(rank);
    size_out = impl.heap_dims;
    stride_out = impl.heap_dims + rank;
  }
  impl.key.rank = static_cast<uint8_t>(rank);
  int64_t numel = 1;
  bool contiguous = true;
  for (size_t i = rank; i-- > 0;) {
    size_out[i] = sizes[i];
    stride_out[i] = strides[i];
    contiguous &= sizes[i] == 1 || strides[i] == numel;
    numel *= sizes[i];
  }
  impl.numel = numel;
  if (contiguous || numel == 0) {
    const size_t bytes = static_cast<size_t>(numel) * element_size(impl.key.dtype);
    impl.key.geometry = TensorKey::kContiguous | TensorKey::kDense;
    if (bytes <= TensorKey::kSmallBytes) impl.key.geometry |= TensorKey::kSmall;
  } else {
    impl.key.geometry = is_dense(sizes, strides) ? TensorKey::kDense : 0;
  }
}

// Gives a fresh impl its sizes and strides; if that fails the impl is gone.
TensorImpl* with_geometry(TensorImpl* fresh, Dims sizes, Dims strides) {
  auto owner = IntrusivePtr<TensorImpl>::adopt(fresh);
  put_geometry(*fresh, sizes, strides);
  return owner.detach();
}

// Gives a fresh impl what a tensor of few dimensions has.
EAGRE_INLINE void copy_geometry(TensorImpl& impl, const TensorImpl& model) {
  impl.key = model.key;
  impl.numel = model.numel;
  std::memcpy(impl.inline_dims, model.inline_dims, sizeof model.inline_dims);
}

// An impl and its embedded storage.
EAGRE_INLINE TensorImpl* start_block(void* block, size_t bytes, Device device,
                                     uint16_t storage_flags, void* data) {
  auto* impl = new (block) TensorImpl;
  auto* storage = new (impl + 1) Storage;
  impl->flags = TensorImpl::kHasEmbeddedStorage;
  impl->key.device = device;
  impl->storage = storage;
  impl->version = &storage->version;
  storage->flags.store(Storage::kEmbedded | storage_flags, std::memory_order_relaxed);
  storage->parts.store(2, std::memory_order_relaxed);
  storage->data = data;
  storage->bytes = bytes;
  storage->device = device;
  // Not above: a constant is stored together with its neighbours.
  if (thread_state.modes.new_tensor_flags != 0) [[unlikely]]
    impl->flags |= thread_state.modes.new_tensor_flags;
  return impl;
}

EAGRE_INLINE TensorImpl* new_inline_block(size_t bytes) {
  void* block = allocate_block(kInlineDataOffset + bytes);
  void* data = static_cast<char*>(block) + kInlineDataOffset;
  return start_block(block, bytes, Device(), Storage::kInline, data);
}

EAGRE_NOINLINE TensorImpl* new_outside_block(size_t bytes, Device device) {
  void* block = allocate_block(kInlineDataOffset);
  TensorImpl* impl = start_block(block, bytes, device, 0, nullptr);
  if (bytes > TensorKey::kSmallBytes) {
    impl->key.geometry = TensorKey::kContiguous | TensorKey::kDense;
  }
  Storage& storage = *impl->storage;
  try {
    storage.allocator = &allocator_for(device);
    if (bytes != 0) storage.data = storage.allocator->allocate(bytes, device);
  } catch (...) {
    free_block(block, kInlineDataOffset);
    throw;
  }
  return impl;
}

EAGRE_INLINE TensorImpl* new_block(size_t bytes, Device device) {
  if (device.is_cpu() && bytes <= kMaxInlineBytes) [[likely]]
    return new_inline_block(bytes);
  return new_outside_block(bytes, device);
}

}  // namespace

TensorImpl* new_tensor_strided(Dims sizes, Dims strides, DType dtype, Device device) {
  const auto bytes = static_cast<size_t>(checked_numel("empty", sizes)) * element_size(dtype);
  TensorImpl* impl = new_block(bytes, device);
  impl->key.dtype = dtype;
  return with_geometry(impl, sizes, strides);
}

TensorImpl* new_tensor(Dims sizes, DType dtype, Device device, const char* op) {
  const size_t rank = sizes.size();
  const int64_t numel = checked_numel(op, sizes);
  TensorImpl* impl = new_block(static_cast<size_t>(numel) * element_size(dtype), device);
  impl->key.dtype = dtype;
  if (rank > TensorImpl::kInlineDims) {
    int64_t strides[kMaxDims];
    contiguous_strides(sizes, strides);
    return with_geometry(impl, sizes, {strides, rank});
  }
  impl->key.rank = static_cast<uint8_t>(rank);
  impl->numel = numel;
  for (size_t i = 0; i < rank; ++i) impl->inline_dims[i] = sizes[i];
  contiguous_strides(sizes, impl->inline_dims + TensorImpl::kInlineDims);
  return impl;
}

TensorImpl* new_tensor_like(const TensorImpl& model, DType dtype) {
  if (model.key.rank > TensorImpl::kInlineDims) {
    return new_tensor_strided(model.sizes(), model.strides(), dtype, model.key.device);
  }
  TensorImpl* impl =
      new_block(static_cast<size_t>(model.numel) * element_size(dtype), model.key.device);
  copy_geometry(*impl, model);
  impl->key.dtype = dtype;
  return impl;
}

TensorImpl* new_tensor_on(IntrusivePtr<Storage> storage, Dims sizes, Dims strides, DType dtype) {
  auto* impl = new (allocate_block(sizeof(TensorImpl))) TensorImpl;
  impl->flags = thread_state.modes.new_tensor_flags;
  impl->key.dtype = dtype;
  impl->key.device = storage->device;
  impl->version = &storage->version;
  impl->storage = storage.detach();
  return with_geometry(impl, sizes, strides);
}

namespace {

// A bare impl that holds the storage and version of `source` by way of `root`.
EAGRE_INLINE TensorImpl* new_on_base(TensorImpl& root, const TensorImpl& source, uint16_t flags,
                                     Dims sizes, Dims strides, DType dtype) {
  auto* impl = new (allocate_block(sizeof(TensorImpl) + sizeof(ViewInfo))) TensorImpl;
  auto* info = new (impl + 1) ViewInfo;
  root.retain();
  info->base = &root;
  impl->flags = flags | TensorImpl::kHasViewInfo | TensorImpl::kHoldsBase;
  impl->key.dtype = dtype;
  impl->key.device = source.storage->device;
  impl->storage = source.storage;
  impl->version = source.version;
  return with_geometry(impl, sizes, strides);
}

// The strictest of what the modes say and what the base was.
ViewOrigin origin_of_view(const TensorImpl& base) {
  if ((thread_state.modes.new_tensor_flags & TensorImpl::kInference) != 0) {
    return ViewOrigin::kInference;
  }
  const ViewOrigin inherited =
      base.has(TensorImpl::kIsView) ? base.view_info().origin : ViewOrigin::kPlain;
  if (thread_state.modes.grad_enabled || inherited == ViewOrigin::kInference) return inherited;
  return ViewOrigin::kNoGrad;
}

}  // namespace

TensorImpl* new_view(const TensorImpl& base, Dims sizes, Dims strides, int64_t offset,
                     DType dtype) {
  // What is seen of an inference tensor is one too, and no view: nobody will ask for its history.
  const bool is_tracked = !base.has(TensorImpl::kInference);
  const uint16_t flags = is_tracked ? TensorImpl::kIsView : TensorImpl::kInference;
  const bool has_root = base.has(is_tracked ? TensorImpl::kIsView : TensorImpl::kHoldsBase);
  // Handles are not const: who has one may keep the tensor alive.
  auto& root = has_root ? *base.view_info().base : const_cast<TensorImpl&>(base);
  TensorImpl* impl = new_on_base(root, base, flags, sizes, strides, dtype);
  ViewInfo& info = impl->view_info();
  info.stamp.store(impl->version->value.load(std::memory_order_relaxed), std::memory_order_relaxed);
  info.origin = origin_of_view(base);
  impl->offset = offset;
  if (base.key.kind != TensorKind::kDense) [[unlikely]] {
    impl->key.kind = base.key.kind;
    impl->key.geometry &= static_cast<uint8_t>(~TensorKey::kSmall);  // no fast path takes it
  }
  return impl;
}

TensorImpl* new_alias(const TensorImpl& base) {
  TensorImpl* impl;
  // A version counter that is not the storage's lives as long as its tensor.
  const bool has_other_version = base.version != &base.storage->version;
  if (has_other_version) [[unlikely]] {
    auto& root =
        base.has(TensorImpl::kHoldsBase) ? *base.view_info().base : const_cast<TensorImpl&>(base);
    impl = new_on_base(root, base, 0, base.sizes(), base.strides(), base.key.dtype);
  } else if (base.key.rank > TensorImpl::kInlineDims) [[unlikely]] {
    impl = new_tensor_on(IntrusivePtr<Storage>::share(base.storage), base.sizes(), base.strides(),
                         base.key.dtype);
  } else {
    impl = new (allocate_block(sizeof(TensorImpl))) TensorImpl;
    copy_geometry(*impl, base);
    base.storage->retain();
    impl->storage = base.storage;
    impl->version = base.version;
  }
  impl->flags = static_cast<uint16_t>((impl->flags & ~TensorImpl::kInference) |
                                      (base.flags & TensorImpl::kInference));
  impl->offset = base.offset;
  return impl;
}

TensorImpl* new_unversioned_alias(const TensorImpl& base) {
  auto* impl = new (allocate_block(sizeof(TensorImpl) + sizeof(VersionCounter))) TensorImpl;
  impl->version = new (impl + 1) VersionCounter;
  impl->flags = TensorImpl::kHasOwnVersion | (base.flags & TensorImpl::kInference);
  impl->key = base.key;
  impl->key.rank = 0;
  impl->storage = base.storage;
  impl->storage->retain();
  impl->offset = base.offset;
  return with_geometry(impl, base.sizes(), base.strides());
}

void set_geometry(TensorImpl& tensor, IntrusivePtr<Storage> storage, Dims sizes, Dims strides,
                  int64_t offset) {
  // The arguments may look at the dimensions that are about to change.
  const DimVector new_sizes(sizes);
  const DimVector new_strides(strides);
  int64_t* const old_dims = tensor.key.rank > TensorImpl::kInlineDims ? tensor.heap_dims : nullptr;
  const size_t old_rank = tensor.key.rank;
  put_geometry(tensor, new_sizes, new_strides);
  if (old_dims != nullptr) free_block(old_dims, dims_bytes(old_rank));
  tensor.offset = offset;
  if (tensor.storage == storage.get()) return;
  Storage* old = std::exchange(tensor.storage, storage.detach());
  if (!tensor.has(TensorImpl::kHasOwnVersion)) tensor.version = &tensor.storage->version;
  tensor.key.device = tensor.storage->device;
  if (tensor.has(TensorImpl::kHoldsBase)) {
    tensor.flags &= static_cast<uint16_t>(~(TensorImpl::kIsView | TensorImpl::kHoldsBase));
    tensor.view_info().base->release();
  } else {
    old->release();
  }
}

void resize_tensor(const char* op, TensorImpl& tensor, Dims sizes) {
  const int64_t numel = checked_numel(op, sizes);
  DimVector strides(sizes.size());
  contiguous_strides(sizes, strides.data());
  const auto item = static_cast<int64_t>(element_size(tensor.key.dtype));
  int64_t bytes = 0;
  const bool too_many = __builtin_add_overflow(numel, tensor.offset, &bytes) ||
                        __builtin_mul_overflow(bytes, item, &bytes);
  EAGRE_CHECK(!too_many, kInvalidArgument, op, "(): ", sizes, " is too large");
  if (numel != 0) tensor.storage->grow(op, static_cast<size_t>(bytes));
  set_geometry(tensor, IntrusivePtr<Storage>::share(tensor.storage), sizes, strides, tensor.offset);
}

bool TensorImpl::base_requires_grad() const {
  return has(kIsView) && !has(kStopsGradient) && is_differentiable(key.dtype) &&
         view_info().base->requires_grad();
}

void TensorImpl::destroy_bare() noexcept {
  if (has(kHoldsBase)) {
    view_info().base->release();
    free_block(this, sizeof(TensorImpl) + sizeof(ViewInfo));
  } else {
    storage->release();
    free_block(this, bare_bytes());
  }
}

namespace {
GiveBackToLanguage give_back_to_language = nullptr;  // set once, before there are wrappers
}  // namespace

void set_give_back_to_language(GiveBackToLanguage give_back) { give_back_to_language = give_back; }

namespace {

// The end of a tensor with a side block; false if it lives on, by its wrapper. Apart from the usual
// end, which is short.
EAGRE_COLD bool drop_side_block(TensorImpl& tensor, Releasable* meta) noexcept {
  if (tensor.language_object.load(std::memory_order_acquire) != nullptr) {
    tensor.refs.store(1, std::memory_order_relaxed);
    give_back_to_language(tensor);
    return false;
  }
  if (tensor.grad_node != nullptr) std::exchange(tensor.grad_node, nullptr)->release();
  Releasable::release_later(meta);
  return true;
}

}  // namespace

void TensorImpl::destroy() noexcept {
  Releasable* const meta = autograd.load(std::memory_order_acquire);
  if (meta != nullptr && !drop_side_block(*this, meta)) return;
  if (grad_node != nullptr) grad_node->release();
  if (key.rank > kInlineDims) free_block(heap_dims, dims_bytes(key.rank));
  if (!has(kHasEmbeddedStorage)) [[unlikely]]
    return destroy_bare();
  Storage* own = embedded_storage(this);
  if (storage == own && own->refs.load(std::memory_order_acquire) == 1) [[likely]] {
    // The usual end: both go at once.
    if (own->has(Storage::kInline)) return free_block(this, kInlineDataOffset + own->bytes);
    own->free_data();
    return free_block(this, block_bytes(*own));
  }
  storage->release();
  drop_block_part(*own);
}

void Storage::destroy() noexcept {
  free_data();
  if (has(kEmbedded)) {
    drop_block_part(*this);
  } else {
    free_block(this, sizeof(Storage));
  }
}

}  // namespace eagre
