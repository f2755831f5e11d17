// What the public tensor can do besides operators: gradients, values, conversions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <eagre/api/accessor.h>
#include <eagre/api/indexing.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/base/call_site.h>
#include <eagre/core/load_element.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre {

class Tensor;

using autograd::HookHandle;

class EAGRE_API TensorHandle : public TensorBase {
 public:
  TensorHandle() = default;
  explicit TensorHandle(TensorBase base) : TensorBase(std::move(base)) {}

  // --- gradients ---
  const Tensor& requires_grad_(bool value = true) const;
  // Undefined until backward() has reached this leaf.
  Tensor grad() const;
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
  void reset_inplace_version() const;
  Tensor detach() const;
  // Makes this very tensor a leaf without history; not for views.
  const Tensor& detach_() const;
  // The same memory, where autograd does not see writes.
  Tensor variable_data() const;
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
  T item() const;
  Tensor to(DType dtype, CallSite at = std::source_location::current()) const;
  Tensor to(Device device, CallSite at = std::source_location::current()) const;
  // The dtype and device that the options name.
  Tensor to(const TensorOptions& options, CallSite at = std::source_location::current()) const;
  Tensor cpu(CallSite at = std::source_location::current()) const;
  // A copy on another device (or this one); without waiting for it if `blocking` is false and the
  // device can work meanwhile: synchronize(device) waits.
  Tensor copy_to(Device device, bool blocking = true,
                 CallSite at = std::source_location::current()) const;
  // TensorOptions that describe this tensor: zeros({2}, t.options()).
  TensorOptions options() const;

  // --- elements ---
  // t[2]: the part at an index of the first dimension, as a view.
  Tensor operator[](int64_t index) const;
  // The same with the integer that a 0-dim tensor holds.
  Tensor operator[](const TensorBase& index) const;
  // t.index({…}), or a vector of entries.
  Tensor index(Span<const TensorIndex> indices,
               CallSite at = std::source_location::current()) const;
  // t.index_put_({…}, values): numbers and tensors that broadcast to what is written.
  const Tensor& index_put_(Span<const TensorIndex> indices, const Operand& values,
                           CallSite at = std::source_location::current()) const;
  // Fast access to single elements: auto a = t.accessor<float, 2>(); a[i][j] = 1.
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const;

  // --- memory ---
  const Storage& storage() const { return *get().storage; }
  // Other sizes, row-major, in the same storage, which grows if it must.
  const Tensor& resize_(Dims sizes, CallSite at = std::source_location::current()) const;
  // The memory and geometry of `source`, shared with it.
  const Tensor& set_(const TensorBase& source, CallSite at = std::source_location::current()) const;
  // As printed: tensor([1., 2.])
  std::string str() const;

 private:
  TensorBase single_on_host() const;  // raises unless there is exactly one element
};

template <class T>
T TensorHandle::item() const {
  const TensorBase here = single_on_host();
  T value{};
  visit_dtype(here.dtype(), [&](auto zero) {
    value = checked_element<T>(load_element(*static_cast<decltype(zero)*>(here.data_ptr())));
  });
  return value;
}

template <class T, size_t N>
TensorAccessor<T, N> TensorHandle::accessor() const {
  EAGRE_CHECK(dim() == static_cast<int64_t>(N), kInvalidArgument, "accessor(): the tensor has ",
              dim(), " dimensions, but ", N, " were asked for");
  EAGRE_CHECK(device().is_cpu(), kInvalidArgument, "accessor(): the tensor is on ", device(),
              ". Hint: cpu() copies it to host memory");
  return {data_ptr<T>(), get().sizes_data(), get().strides_data()};
}

}  // namespace eagre
