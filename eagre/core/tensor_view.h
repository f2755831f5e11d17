// What a kernel sees of a tensor: memory and geometry.
#pragma once

#include <eagre/core/tensor_base.h>

namespace eagre {

struct TensorView {
  void* data = nullptr;
  Dims sizes;
  Dims strides;  // in elements
  int64_t numel = 0;
  DType dtype = DType::kFloat32;
  // Of a result that is gone if the kernel fails: nobody will see that it is half written.
  bool is_new = false;

  TensorView() = default;
  explicit TensorView(const TensorImpl& impl)
      : data(impl.data()),
        sizes(impl.sizes()),
        strides(impl.strides()),
        numel(impl.numel),
        dtype(impl.key.dtype) {}

  static TensorView updated(const TensorImpl& impl, bool is_new) {
    TensorView view(impl);
    view.is_new = is_new;
    return view;
  }
  // An argument that was left out has no data.
  static TensorView optional(const TensorBase& tensor) {
    return tensor.defined() ? TensorView(tensor.get()) : TensorView();
  }

  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
};

}  // namespace eagre
