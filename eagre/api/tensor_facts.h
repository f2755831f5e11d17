// What the public tensor says of itself, under libtorch's names.
#pragma once

#include <optional>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre {

using ScalarType = DType;

// Of a dtype and a C++ type that do not belong together.
[[noreturn]] EAGRE_API EAGRE_COLD void raise_other_element(const char* op, DType held, DType wanted,
                                                           CallSite at);

class EAGRE_API TensorFacts : public TensorBase {
 public:
  TensorFacts() = default;
  explicit TensorFacts(TensorBase base) : TensorBase(std::move(base)) {}

  ScalarType scalar_type() const { return dtype(); }
  Layout layout() const { return kStrided; }
  // TensorOptions that describe this tensor: zeros({2}, t.options()).
  TensorOptions options() const;

  int64_t ndimension() const { return dim(); }
  int64_t stride(int64_t dimension) const {
    return strides()[wrap_dim("stride", "dim", dimension, dim())];
  }
  size_t itemsize() const { return element_size(); }
  // Of the elements, wherever they lie.
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  bool is_contiguous(MemoryFormat format = MemoryFormat::kContiguous) const;
  MemoryFormat suggest_memory_format() const;
  // Every element has a place of its own, and there is nothing between them.
  bool is_non_overlapping_and_dense() const;

  bool is_floating_point() const { return eagre::is_floating_point(dtype()); }
  bool is_complex() const { return eagre::is_complex(dtype()); }
  bool is_signed() const { return eagre::is_signed(dtype()); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_cuda() const;
  // -1 where there is only one device of the kind, as of the CPU.
  int64_t get_device() const { return is_cpu() || is_meta() ? -1 : device().number; }
  // Whose elements are kept in another way. There are none.
  bool is_sparse() const { return false; }
  bool is_sparse_csr() const { return false; }
  bool is_quantized() const { return false; }
  bool is_mkldnn() const { return false; }
  bool is_nested() const { return false; }
  bool is_conj() const { return false; }
  bool is_neg() const { return false; }
  bool is_pinned() const { return false; }

  bool has_storage() const { return defined(); }
  bool is_alias_of(const TensorBase& other) const { return get().storage == other.get().storage; }
  // The same memory and geometry.
  bool is_set_to(const TensorBase& other) const;
  // How many hold this tensor.
  size_t use_count() const { return defined() ? get().refs.load(std::memory_order_relaxed) : 0; }
  // Lets go of it: undefined afterwards.
  void reset() { static_cast<TensorBase&>(*this) = TensorBase(); }

  // The memory. Asked for by type, that must be the one of the elements.
  void* data_ptr(CallSite at = std::source_location::current()) const {
    if (get().key.kind != TensorKind::kDense) [[unlikely]]
      return no_memory(at);
    return get().data();
  }
  template <class T>
  T* data_ptr(CallSite at = std::source_location::current()) const {
    if (dtype() != DTypeOf<T>::value) [[unlikely]]
      raise_other_element("data_ptr", dtype(), DTypeOf<T>::value, at);
    return static_cast<T*>(data_ptr(at));
  }
  const void* const_data_ptr(CallSite at = std::source_location::current()) const {
    return data_ptr(at);
  }
  template <class T>
  const T* const_data_ptr(CallSite at = std::source_location::current()) const {
    return data_ptr<std::remove_const_t<T>>(at);
  }
  void* mutable_data_ptr(CallSite at = std::source_location::current()) const {
    return data_ptr(at);
  }
  template <class T>
  T* mutable_data_ptr(CallSite at = std::source_location::current()) const {
    return data_ptr<T>(at);
  }

 private:
  EAGRE_COLD void* no_memory(CallSite at) const;  // raises
};

}  // namespace eagre
