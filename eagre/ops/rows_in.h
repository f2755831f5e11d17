// Rows of matrices in another order.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/core/tensor_base.h>
#include <eagre/ops/argsort.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {

inline int64_t rows_of(const TensorBase& matrix) {
  return matrix.sizes()[static_cast<size_t>(matrix.dim() - 2)];
}
inline int64_t columns_of(const TensorBase& matrix) { return matrix.sizes().back(); }

// Row i of the result is the row of x whose number is order[i].
inline TensorBase rows_in(const TensorBase& order, const TensorBase& x, CallSite at) {
  return gather(x, -2, expand(unsqueeze(order, -1, at), x.sizes(), at), at);
}
inline TensorBase back(const TensorBase& order, CallSite at) {
  return argsort(order, -1, false, false, at);
}

}  // namespace eagre::ops
