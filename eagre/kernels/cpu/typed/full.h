// full: a contiguous tensor with one value.
#pragma once

#include <algorithm>

#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void full(const TensorView& out, const Scalar& value) {
  std::fill_n(out.as<T>(), out.numel, value.to<T>());
}

}  // namespace eagre::kernels::cpu::typed
