// Elements that follow from their place: the loops of `kernel: {generate: …}`.
#pragma once

#include <cstdint>
#include <type_traits>

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/fill_line.h>
#include <eagre/kernels/scalar/generate_ops.h>

namespace eagre::kernels::cpu {

// A number of a call as an operation takes it.
template <class Number, class Given>
Number as_number(const Given& given) {
  if constexpr (std::is_same_v<Given, Scalar>) {
    return given.template wrapped<Number>();
  } else {
    return Number(given);
  }
}

// `out` is contiguous.
template <template <class> class Op, class T, class... Given>
void generate(const TensorView& out, Given... given) {
  const Op<T> op(out.numel, as_number<typename Op<T>::Number>(given)...);
  T* data = out.as<T>();
  if constexpr (Op<T>::kConstant) {
    parallel_for(0, out.numel, kFillGrain, [=](int64_t begin, int64_t end) {
      fill_line(data + begin, end - begin, op.at(0));
    });
  } else {
    parallel_for(0, out.numel, 32768, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) data[i] = op.at(i);
    });
  }
}

}  // namespace eagre::kernels::cpu
