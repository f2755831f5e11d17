// triu: zeros below a diagonal of contiguous matrices.
#pragma once

#include <utility>

#include <eagre/kernels/cpu/typed/triangle.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void triu(const TensorView& input, int64_t diagonal) {
  clear_beside_diagonal<T>(input, diagonal, [](int64_t place, int64_t columns) {
    return std::pair<int64_t, int64_t>(0, std::clamp<int64_t>(place, 0, columns));
  });
}

}  // namespace eagre::kernels::cpu::typed
