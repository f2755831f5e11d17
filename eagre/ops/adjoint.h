// Matrices turned round.
#pragma once

#include <eagre/core/tensor_base.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/transpose.h>

namespace eagre::ops {

inline TensorBase turned(const TensorBase& matrix, CallSite at) {
  return transpose(matrix, -2, -1, at);
}
inline TensorBase adjoint(const TensorBase& matrix, CallSite at) {
  return turned(conj(matrix, at), at);
}

}  // namespace eagre::ops
