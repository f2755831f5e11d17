// The handle to a tensor and its metadata, without operators: all that layers below api may use.
#pragma once

#include <eagre/base/error.h>
#include <eagre/core/tensor_impl.h>

namespace eagre {

class TensorBase {
 public:
  constexpr TensorBase() = default;
  explicit TensorBase(IntrusivePtr<TensorImpl> impl) : impl_(std::move(impl)) {}
  // Takes over the count of a fresh impl.
  static TensorBase adopt(TensorImpl* impl) {
    return TensorBase(IntrusivePtr<TensorImpl>::adopt(impl));
  }
  static TensorBase share(TensorImpl* impl) {
    return TensorBase(IntrusivePtr<TensorImpl>::share(impl));
  }

  bool defined() const { return static_cast<bool>(impl_); }
  bool is_same(const TensorBase& other) const { return impl_ == other.impl_; }
  TensorImpl* impl() const { return impl_.get(); }
  // The impl of a tensor that must be there.
  TensorImpl& get() const {
    if (!defined()) [[unlikely]]
      raise_undefined();
    return *impl_;
  }
  // The same for an argument of an operator.
  TensorImpl& get(const char* op, const char* argument) const {
    if (!defined()) [[unlikely]]
      raise_undefined(op, argument);
    return *impl_;
  }
  TensorImpl* detach_impl() { return impl_.detach(); }

  Dims sizes() const { return get().sizes(); }
  Dims strides() const { return get().strides(); }
  int64_t dim() const { return get().key.rank; }
  int64_t size(int64_t dimension) const {
    return sizes()[wrap_dim("size", "dim", dimension, dim())];
  }
  int64_t numel() const { return get().numel; }
  int64_t storage_offset() const { return get().offset; }
  DType dtype() const { return get().key.dtype; }
  Device device() const { return get().key.device; }
  bool is_contiguous() const { return get().is_contiguous(); }
  size_t element_size() const { return eagre::element_size(dtype()); }
  uint32_t version() const {
    EAGRE_CHECK(!is_inference(), kAutograd, "Inference tensors do not track version counter");
    return get().version->value.load(std::memory_order_relaxed);
  }
  bool is_inference() const { return get().has(TensorImpl::kInference); }

  bool is_leaf() const { return get().grad_node == nullptr && !get().is_stale_view(); }
  bool requires_grad() const { return get().requires_grad(); }
  bool is_view() const { return get().has(TensorImpl::kIsView); }

  void* data_ptr() const {
    if (get().key.kind != TensorKind::kDense) [[unlikely]]
      raise_batched();
    return get().data();
  }
  template <class T>
  T* data_ptr() const {
    EAGRE_CHECK(dtype() == DTypeOf<T>::value, kType, "data_ptr(): the tensor holds ", dtype(),
                ", but ", DTypeOf<T>::value, " was asked for");
    return static_cast<T*>(data_ptr());
  }

 private:
  [[noreturn]] EAGRE_COLD static void raise_undefined() {
    raise(ErrorKind::kInvalidArgument,
          "the tensor is undefined (made by the default constructor, never assigned)");
  }
  [[noreturn]] EAGRE_COLD static void raise_undefined(const char* op, const char* argument) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, "a tensor",
                          "an undefined one (made by the default constructor, never assigned)"});
  }

  [[noreturn]] EAGRE_COLD static void raise_batched() {
    raise(ErrorKind::kAutograd,
          "data_ptr(): vmap: a tensor that stands for all samples of a batch has no memory of its "
          "own. Hint: use operators, or return it and look at the result of vmap()");
  }

  IntrusivePtr<TensorImpl> impl_;
};
static_assert(sizeof(TensorBase) == sizeof(void*));

}  // namespace eagre
