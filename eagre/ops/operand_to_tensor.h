// Numbers in the place of tensors, for operators that want a tensor there.
#pragma once

#include <eagre/core/operand.h>
#include <eagre/core/promotion.h>
#include <eagre/ops/full.h>

namespace eagre::ops {

// A number becomes a tensor that promotes as the number would beside `like`.
inline TensorBase operand_to_tensor(const Operand& operand, const TensorBase& like, CallSite at) {
  if (operand.is_tensor()) return operand.tensor();
  const TensorOptions options =
      TensorOptions().dtype(result_type(like, operand)).device(like.device());
  return full(Dims(), operand.scalar(), options, at);
}

}  // namespace eagre::ops
