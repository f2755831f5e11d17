// What the public tensor can do besides operators: gradients, values, conversions.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <eagre/api/accessor.h>
#include <eagre/api/indexing.h>
#include <eagre/api/located_index.h>
#include <eagre/api/tensor_facts.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/base/call_site.h>
#include <eagre/core/load_element.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre {

class Tensor;

using autograd::HookHandle;

class EAGRE_API TensorHandle : public TensorFacts {
 public:
  TensorHandle() = default;
  explicit TensorHandle(TensorBase base) : TensorFacts(std::move(base)) {}

  // --- gradients ---
  Tensor& requires_grad_(bool value = true) const;
  Tensor& set_requires_grad(bool value) const;
  // Undefined until backward() has reached this leaf.
  Tensor grad() const;
  // The very gradient that the tensor has, to be assigned to, unchecked. Not while another thread
  // runs backward().
  Tensor& mutable_grad() const;
  void set_grad(const TensorBase& grad) const;
  // A leaf has its .grad anyway; after this a tensor that is none has it too.
  void retain_grad() const;
  bool retains_grad() const;
  // The dtype of .grad; none: whatever comes.
  std::optional<DType> grad_dtype() const;
  void set_grad_dtype(std::optional<DType> dtype) const;
  // Paddle's word for the opposite of requires_grad, which any tensor takes: see attributes.h.
  bool stop_gradient() const { return !requires_grad(); }
  void set_stop_gradient(bool stop) const;
  // A mark for the user's own bookkeeping.
  bool persistable() const { return get().has(TensorImpl::kPersistable); }
  void set_persistable(bool value) const;
  // How often the memory was written in place.
  int64_t inplace_version() const { return version(); }
  int64_t _version() const { return version(); }  // NOLINT: libtorch's name
  // The tensor whose memory a view shows; undefined if this is none.
  Tensor _base() const;  // NOLINT
  void reset_inplace_version() const;
  Tensor detach() const;
  // Makes this very tensor a leaf without history; not for views.
  Tensor& detach_() const;
  // The same memory, where autograd does not see writes.
  Tensor variable_data() const;
  Tensor tensor_data() const;
  Tensor data() const;
  // Other memory and geometry for the same tensor.
  void set_data(const TensorBase& data) const;
  // The node that made this tensor, or null for a leaf, and which of its outputs this is.
  IntrusivePtr<autograd::Node> grad_fn() const;
  int64_t output_nr() const;
  // Adds the gradients of this tensor to those of the leaves it depends on. Without `gradient` it
  // must have one element.
  void backward(const TensorBase& gradient = TensorBase(),
                std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                CallSite at = std::source_location::current()) const;
  // The same for these tensors only, leaves or not.
  void backward(const TensorBase& gradient, std::optional<bool> retain_graph, bool create_graph,
                const std::vector<Tensor>& inputs,
                CallSite at = std::source_location::current()) const;
  // f(gradient) may return another gradient of the same shape, or nothing.
  template <class F>
  HookHandle register_hook(F f) const;
  // Of this tensor; the handle's remove() does the same.
  void remove_hook(uint64_t position) const;
  // f(leaf) when backward has added to the .grad of this leaf.
  template <class F>
  HookHandle register_post_accumulate_grad_hook(F f) const;

  // --- values and conversions ---
  // The value of a tensor with one element; an error if T cannot hold it.
  template <class T>
  T item(CallSite at = std::source_location::current()) const;
  Scalar item(CallSite at = std::source_location::current()) const;
  // Of the dtype and device that the options name: this very tensor where it is so already, unless
  // `copy` is set. `non_blocking` does not wait for a device that can work meanwhile.
  Tensor to(const TensorOptions& options = {}, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> memory_format = {},
            CallSite at = std::source_location::current()) const;
  Tensor to(DType dtype, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> memory_format = {},
            CallSite at = std::source_location::current()) const;
  Tensor to(Device device, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> memory_format = {},
            CallSite at = std::source_location::current()) const;
  template <class T, class Result = Tensor>  // which is not complete yet
  requires std::convertible_to<const T&, std::string_view> Result
  to(const T& device, bool non_blocking = false, bool copy = false,
     std::optional<MemoryFormat> memory_format = {}, CallSite at = std::source_location::current())
  const { return to(device_named(device, at), non_blocking, copy, memory_format, at); }
  Tensor to(Device device, DType dtype, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> memory_format = {},
            CallSite at = std::source_location::current()) const;
  // As another tensor is.
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> memory_format = {},
            CallSite at = std::source_location::current()) const;
  Tensor to(std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
            std::optional<bool> pin_memory, bool non_blocking, bool copy,
            std::optional<MemoryFormat> memory_format,
            CallSite at = std::source_location::current()) const;
  Tensor cpu(CallSite at = std::source_location::current()) const;
  Tensor cuda(CallSite at = std::source_location::current()) const;
  Tensor meta(CallSite at = std::source_location::current()) const;
  // The dtype of another tensor, and its device.
  Tensor type_as(const Tensor& other, CallSite at = std::source_location::current()) const;
  Tensor toType(DType dtype,  // NOLINT: libtorch's name
                CallSite at = std::source_location::current()) const;
  // A copy on another device (or this one); without waiting for it if `blocking` is false and the
  // device can work meanwhile: synchronize(device) waits.
  Tensor copy_to(Device device, bool blocking = true,
                 CallSite at = std::source_location::current()) const;

  // --- elements ---
  // t[2]: the part at an index of the first dimension, as a view.
  Tensor operator[](const LocatedIndex& index) const;
  // t.index({…}), or a vector of entries.
  Tensor index(Span<const TensorIndex> indices,
               CallSite at = std::source_location::current()) const;
  // t.index_put_({…}, values): numbers and tensors that broadcast to what is written. With
  // `accumulate` they are added, as often as an index names a place.
  Tensor& index_put_(Span<const TensorIndex> indices, const Operand& values,
                     bool accumulate = false, CallSite at = std::source_location::current()) const;
  // The same in a copy.
  Tensor index_put(Span<const TensorIndex> indices, const Operand& values, bool accumulate = false,
                   CallSite at = std::source_location::current()) const;
  // Parts of these sizes along `dim`, as views: split() by its longer name.
  std::vector<Tensor> split_with_sizes(Dims split_sizes, int64_t dim = 0,
                                       CallSite at = std::source_location::current()) const;
  // Fast access to single elements: auto a = t.accessor<float, 2>(); a[i][j] = 1.
  template <class T, size_t N>
  TensorAccessor<T, N> accessor(CallSite at = std::source_location::current()) const&;
  // The elements of a temporary would be gone with it.
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const&& = delete;

  // --- matrices ---
  // The last two dimensions swapped; of complex numbers, H and adjoint() are conjugated too.
  Tensor mT(CallSite at = std::source_location::current()) const;  // NOLINT: libtorch's names
  Tensor mH(CallSite at = std::source_location::current()) const;  // NOLINT
  Tensor adjoint(CallSite at = std::source_location::current()) const;
  // All dimensions in reverse.
  Tensor numpy_T(CallSite at = std::source_location::current()) const;  // NOLINT
  // Conjugates and negatives are computed at once here: the tensor itself.
  Tensor resolve_conj() const;
  Tensor resolve_neg() const;

  // --- memory ---
  const Storage& storage() const { return *get().storage; }
  // Other sizes, row-major, in the same storage, which grows if it must.
  Tensor& resize_(Dims sizes, std::optional<MemoryFormat> memory_format = {},
                  CallSite at = std::source_location::current()) const;
  Tensor& resize_as_(const Tensor& other, std::optional<MemoryFormat> memory_format = {},
                     CallSite at = std::source_location::current()) const;
  // The memory and geometry of `source`, shared with it.
  Tensor& set_(const TensorBase& source, CallSite at = std::source_location::current()) const;
  // As printed: tensor([1., 2.])
  std::string str() const;

 protected:
  // The tensor that operators in place return: libtorch's are const, and this is not.
  Tensor& self() const;
  // Writes the elements: a number, or a tensor that broadcasts.
  void assign(const Operand& value, CallSite at) const;

 private:
  TensorBase single_on_host(CallSite at) const;  // raises unless there is exactly one element
  void check_accessor(size_t dims, CallSite at) const;
};

template <class T>
T TensorHandle::item(CallSite at) const {
  const TensorBase here = single_on_host(at);
  T value{};
  visit_dtype(here.dtype(), [&](auto zero) {
    value = checked_element<T>(load_element(*static_cast<decltype(zero)*>(here.data_ptr())));
  });
  return value;
}

template <class T, size_t N>
TensorAccessor<T, N> TensorHandle::accessor(CallSite at) const& {
  check_accessor(N, at);
  return {data_ptr<T>(at), get().sizes_data(), get().strides_data()};
}

}  // namespace eagre
