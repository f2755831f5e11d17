// Checks of the number of dimensions.
#pragma once

#include <eagre/ops/invalid_argument.h>

namespace eagre::ops {

inline void check_vector(const char* op, const char* argument, const TensorBase& tensor) {
  if (tensor.get(op, argument).key.rank == 1) return;
  invalid_argument(op, argument, "a vector (1 dimension)", concat("shape ", tensor.sizes()));
}

inline void check_rank_at_least(const char* op, const TensorBase& input, int64_t least) {
  EAGRE_CHECK(input.dim() >= least, kInvalidArgument, op, "(): torch.", op,
              " requires a tensor with at least ", least, " dimension, but got a tensor with ",
              input.dim(), " dimensions! Input must be >= ", least, "-d.");
}

}  // namespace eagre::ops
