// A contiguous tensor seen along one dimension: what lies before it, on it and after it.
#pragma once

#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

struct Along {
  int64_t outer = 1, length = 1, inner = 1;

  Along(const TensorView& view, int64_t dim) {
    const int64_t at = dim < 0 ? dim + view.rank() : dim;
    for (int64_t d = 0; d < view.rank(); ++d) {
      (d < at ? outer : d == at ? length : inner) *= view.sizes[d];
    }
  }
};

}  // namespace eagre::kernels::cpu::typed
