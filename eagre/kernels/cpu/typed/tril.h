// tril: zeros above a diagonal of contiguous matrices.
#pragma once

#include <utility>

#include <eagre/kernels/cpu/typed/triangle.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void tril(const TensorView& input, int64_t diagonal) {
  clear_beside_diagonal<T>(input, diagonal, [](int64_t place, int64_t columns) {
    return std::pair(std::clamp<int64_t>(place + 1, 0, columns), columns);
  });
}

}  // namespace eagre::kernels::cpu::typed
