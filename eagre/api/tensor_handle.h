// What the public tensor can do besides operators: gradients, values, conversions.
#pragma once

#include <memory>
#include <string>

#include <eagre/autograd/hooks.h>
#include <eagre/base/call_site.h>
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
  Tensor cpu(CallSite at = std::source_location::current()) const;
  // Row-major; itself when it is so already.
  Tensor contiguous(CallSite at = std::source_location::current()) const;
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

}  // namespace eagre
