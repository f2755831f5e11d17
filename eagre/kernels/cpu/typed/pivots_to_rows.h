// pivots_to_rows: the order of rows that swapping them, one by one, leads to.
#pragma once

#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void pivots_to_rows(const TensorView& rows, const TensorView& pivots) {
  const int64_t n = rows.sizes.back(), swaps = pivots.sizes.back();
  if (n == 0) return;
  for (int64_t first = 0, batch = 0; first < rows.numel; first += n, ++batch) {
    int64_t* const own = rows.as<int64_t>() + first;
    for (int64_t i = 0; i < n; ++i) own[i] = i;
    for (int64_t i = 0; i < swaps; ++i) {
      const int64_t other = int64_t{pivots.as<const int32_t>()[batch * swaps + i]} - 1;
      EAGRE_CHECK(
          other >= 0 && other < n, kInvalidArgument,
          "lu_unpack(): argument 'LU_pivots': pivots passed to lu_unpack must be between 1 and ", n,
          ", the number of rows, but there is a ", other + 1);
      const int64_t kept = own[i];
      own[i] = own[other];
      own[other] = kept;
    }
  }
}

}  // namespace eagre::kernels::cpu::typed
