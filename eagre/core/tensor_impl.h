// The object behind a tensor handle, laid out so that a small tensor is one block of memory:
//
//     | TensorImpl | Storage | bytes |
//
// Impl and storage have counts of their own, because views keep the bytes and not the impl. The
// impl's end releases what hangs on it (graph, language object); the block is freed when both are
// gone. Larger tensors keep the header here and their bytes elsewhere; tensors on foreign storages
// are a bare impl, and views an impl with a ViewInfo behind it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include <eagre/base/block_pool.h>
#include <eagre/base/deferred_release.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>

namespace eagre {

// What core knows of a gradient node: that it is counted. A leaf's node is part of the leaf: to
// hold the node is to hold the tensor, so that neither needs a weak pointer to the other.
class GraphObject : public Releasable {
 public:
  void retain();
  void release();
  bool is_held_once() const { return refs_.load(std::memory_order_acquire) == 1; }

 protected:
  static constexpr uint32_t kEmbedded = UINT32_MAX;  // counted by host() instead

  virtual struct TensorImpl* host() const { return nullptr; }

  std::atomic<uint32_t> refs_{1};
  uint32_t site_ = 0;  // see call_site.h; here because there is room
};

enum class TensorKind : uint8_t {
  kDense,
  // One sample of a batch that stands for all of them (autograd/tape/transformed_tensor.h). It
  // shows the first, so that nothing breaks where somebody looks; operators outside of the vmap
  // refuse it.
  kBatched,
};

// What two tensors must share to take the fast path, in one word to compare at once.
struct TensorKey {
  enum GeometryFlags : uint8_t {
    kContiguous = 1,
    kDense = 2,
    kSmall = 4,  // contiguous, and so few bytes that one thread is best; may be missing
  };
  static constexpr size_t kSmallBytes = size_t{256} << 10;

  TensorKind kind = TensorKind::kDense;
  DType dtype = DType::kFloat32;
  uint8_t rank = 0;
  uint8_t geometry = kContiguous | kDense | kSmall;
  Device device;

  uint64_t bits() const {
    uint64_t word;
    std::memcpy(&word, this, sizeof word);
    return word;
  }
};
static_assert(sizeof(TensorKey) == sizeof(uint64_t));

struct ViewInfo;

struct TensorImpl {
  static constexpr size_t kInlineDims = 5;
  enum Flags : uint16_t {
    kRequiresGrad = 1,
    kIsView = 2,
    kHasEmbeddedStorage = 4,
    kHasViewInfo = 8,      // a ViewInfo lies behind the impl
    kHoldsBase = 16,       // storage and version are held by way of the ViewInfo's base
    kHasOwnVersion = 32,   // a VersionCounter lies behind the impl
    kInference = 64,       // made in inference mode: never part of a graph
    kStopsGradient = 128,  // the user said so: writes give it no history either
    kPersistable = 256,    // the user's mark, which means nothing here
    kWasDetached = 512,    // detach_() took its history away
    kHasTransformMeta =
        1024,  // a tangent or a batch hangs on it, see autograd/tape/transformed_tensor.h
  };

  std::atomic<uint32_t> refs{1};
  uint16_t flags = 0;
  uint16_t output_slot = 0;  // which output of grad_node this is
  TensorKey key;
  int64_t numel = 1;
  int64_t offset = 0;  // in elements
  Storage* storage = nullptr;
  VersionCounter* version = nullptr;
  GraphObject* grad_node = nullptr;             // null: a leaf
  std::atomic<Releasable*> autograd{nullptr};   // the side block AutogradMeta, made when needed
  std::atomic<void*> language_object{nullptr};  // the binding's wrapper, see below
  union {
    int64_t inline_dims[2 * kInlineDims];  // sizes, then strides from kInlineDims on
    int64_t* heap_dims;                    // sizes, then strides, for more dimensions
  };

  TensorImpl() {}  // the dimensions are for the maker to fill in: see tensor_block.cpp

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    // The common end: nobody else has it, so no atomic write is needed.
    if (refs.load(std::memory_order_acquire) == 1 ||
        refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      destroy();
    }
  }

  bool has(Flags flag) const { return (flags & flag) != 0; }
  inline ViewInfo& view_info() const;  // of a view

  // Does a gradient flow to this tensor? One of a view may come by way of its base.
  bool requires_grad() const {
    return grad_node != nullptr || has(kRequiresGrad) || (has(kIsView) && base_requires_grad());
  }
  // A view of something that was written since grad_node was right, see
  // autograd/tape/view_history.h.
  inline bool is_stale_view() const;

  const int64_t* sizes_data() const { return key.rank <= kInlineDims ? inline_dims : heap_dims; }
  const int64_t* strides_data() const {
    return key.rank <= kInlineDims ? inline_dims + kInlineDims : heap_dims + key.rank;
  }
  Dims sizes() const { return {sizes_data(), key.rank}; }
  Dims strides() const { return {strides_data(), key.rank}; }
  bool is_contiguous() const { return (key.geometry & TensorKey::kContiguous) != 0; }
  bool is_small_contiguous() const { return (key.geometry & TensorKey::kSmall) != 0; }
  bool is_dense() const { return (key.geometry & TensorKey::kDense) != 0; }
  void* data() const { return data(static_cast<int64_t>(element_size(key.dtype))); }
  char* data(int64_t item) const { return static_cast<char*>(storage->data) + offset * item; }

  // Nobody else can see this memory: it may be stolen or written over.
  bool is_sole_owner() const {
    return refs.load(std::memory_order_acquire) == 1 &&
           storage->refs.load(std::memory_order_acquire) == 1 && is_dense() &&
           !storage->has(Storage::kExported) && (!has(kHoldsBase) || is_last_view());
  }
  // The same, and it is not known to autograd or to a binding either.
  bool is_temporary() const {
    return is_sole_owner() && (flags & ~kInference) == kHasEmbeddedStorage &&
           grad_node == nullptr && autograd.load(std::memory_order_relaxed) == nullptr &&
           language_object.load(std::memory_order_relaxed) == nullptr;
  }

 private:
  EAGRE_API void destroy() noexcept;
  EAGRE_NOINLINE void destroy_bare() noexcept;  // one without an embedded storage
  EAGRE_API EAGRE_COLD bool base_requires_grad() const;
  inline bool is_last_view() const;
  inline size_t bare_bytes() const;  // of a block without an embedded storage
};
static_assert(sizeof(TensorImpl) == 152);

// How a view came to be, where that restricts writing through it.
enum class ViewOrigin : uint8_t {
  kPlain,
  kNoGrad,     // while gradients were not recorded
  kInference,  // in inference mode
  kManyViews,  // by an operator that returns several
  kCustom,     // by a custom function, whose gradient knows nothing of the base
};

// What a view knows beyond its geometry.
struct ViewInfo {
  TensorImpl* base;             // held; not a view itself
  std::atomic<uint32_t> stamp;  // the version at which the view's grad_node was right
  ViewOrigin origin;
};

inline ViewInfo& TensorImpl::view_info() const {
  return *reinterpret_cast<ViewInfo*>(const_cast<TensorImpl*>(this) + 1);
}
inline bool TensorImpl::is_last_view() const {
  return view_info().base->refs.load(std::memory_order_acquire) == 1;
}
inline bool TensorImpl::is_stale_view() const {
  return has(kIsView) &&
         view_info().stamp.load(std::memory_order_acquire) !=
             version->value.load(std::memory_order_relaxed) &&
         (grad_node != nullptr || base_requires_grad());
}
inline size_t TensorImpl::bare_bytes() const {
  return sizeof(TensorImpl) + (has(kHasViewInfo) ? sizeof(ViewInfo) : 0) +
         (has(kHasOwnVersion) ? sizeof(VersionCounter) : 0);
}

inline void GraphObject::retain() {
  if (refs_.load(std::memory_order_relaxed) == kEmbedded) return host()->retain();
  refs_.fetch_add(1, std::memory_order_relaxed);
}

inline void GraphObject::release() {
  const uint32_t count = refs_.load(std::memory_order_acquire);
  if (count == kEmbedded) return host()->release();
  if (count == 1 || refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) release_later(this);
}

// A wrapper holds its tensor, and is known to it by a borrowed pointer. One that has state of its
// own may hand its count over, to be kept by the tensor instead, which must have a side block then:
// only tensors with one are asked when they end. When the last handle of such a tensor goes, in
// whatever thread, `give_back` is called in place of the end: the count is 1 again and belongs to
// the wrapper.
using GiveBackToLanguage = void (*)(TensorImpl& tensor) noexcept;
EAGRE_API void set_give_back_to_language(GiveBackToLanguage give_back);

// A dense tensor with memory of its own and uninitialised bytes.
EAGRE_API TensorImpl* new_tensor(Dims sizes, DType dtype, Device device, const char* op = "empty");
// The same with given strides, which must be dense.
EAGRE_API TensorImpl* new_tensor_strided(Dims sizes, Dims strides, DType dtype, Device device);
// Same sizes, strides and device as a dense `model`.
EAGRE_API TensorImpl* new_tensor_like(const TensorImpl& model, DType dtype);
// Another look at the same memory, sharing storage and version counter.
// `offset` counts elements of `dtype`.
EAGRE_API TensorImpl* new_view(const TensorImpl& base, Dims sizes, Dims strides, int64_t offset,
                               DType dtype);
inline TensorImpl* new_view(const TensorImpl& base, Dims sizes, Dims strides, int64_t offset) {
  return new_view(base, sizes, strides, offset, base.key.dtype);
}
// The same look without history: what detach() gives and what nodes save of their own outputs.
EAGRE_API TensorImpl* new_alias(const TensorImpl& base);
// The same with a version counter of its own: autograd does not see what is written through it.
EAGRE_API TensorImpl* new_unversioned_alias(const TensorImpl& base);
// Gives a tensor new sizes (row-major), and its storage more memory if they need it.
EAGRE_API void resize_tensor(const char* op, TensorImpl& tensor, Dims sizes);
// Gives a tensor any geometry on a storage that holds it; the storage may be another one.
EAGRE_API void set_geometry(TensorImpl& tensor, IntrusivePtr<Storage> storage, Dims sizes,
                            Dims strides, int64_t offset);
EAGRE_API TensorImpl* new_tensor_on(IntrusivePtr<Storage> storage, Dims sizes, Dims strides,
                                    DType dtype);

}  // namespace eagre
