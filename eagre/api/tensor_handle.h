// What the public tensor can do besides operators: gradients, values, conversions.
#pragma once

#include <memory>
#include <string>

#include <eagre/api/accessor.h>
#include <eagre/api/indexing.h>
#include <eagre/autograd/hooks.h>
#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre {

class Tensor;

// Takes a hook away again.
class EAGRE_API HookHandle {
 public:
  HookHandle() = default;
  HookHandle(autograd::Edge edge, uint64_t id) : edge_(std::move(edge)), id_(id) {}
  // True the first time.
  bool remove() { return edge_.node && edge_.node->remove_hook(id_); }

 private:
  autograd::Edge edge_;
  uint64_t id_ = 0;
};

class EAGRE_API TensorHandle : public TensorBase {
 public:
  TensorHandle() = default;
  explicit TensorHandle(TensorBase base) : TensorBase(std::move(base)) {}

  // --- gradients ---
  const Tensor& requires_grad_(bool value = true) const;
  // Undefined until backward() has reached this leaf.
  Tensor grad() const;
  void set_grad(const TensorBase& grad) const;
  Tensor detach() const;
  // Adds the gradients of this tensor to those of the leaves it depends on. Without `gradient` it
  // must have one element.
  void backward(const TensorBase& gradient = TensorBase(), bool retain_graph = false,
                bool create_graph = false, CallSite at = std::source_location::current()) const;
  // f(gradient) may return another gradient of the same shape, or nothing.
  template <class F>
  HookHandle register_hook(F f) const;

  // --- values and conversions ---
  // The value of a tensor with one element.
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
  Tensor index(std::initializer_list<TensorIndex> indices,
               CallSite at = std::source_location::current()) const;
  // t.index_put_({…}, values): numbers and tensors that broadcast to what is written.
  const Tensor& index_put_(std::initializer_list<TensorIndex> indices, const Operand& values,
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
  HookHandle add_hook(std::unique_ptr<autograd::TensorHook> hook) const;
  TensorBase single_on_host() const;  // raises unless there is exactly one element
};

template <class T>
T TensorHandle::item() const {
  const TensorBase here = single_on_host();
  T value{};
  visit_dtype(here.dtype(), [&](auto zero) {
    value = convert_element<T>(*static_cast<decltype(zero)*>(here.data_ptr()));
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
