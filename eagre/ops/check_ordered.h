// A check of operators that compare elements.
#pragma once

#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

inline void check_ordered(const char* op, const TensorBase& input) {
  EAGRE_CHECK(!is_complex(input.get(op, "input").key.dtype), kUnimplemented, op,
              "(): complex numbers have no order, but 'input' is of ", input.dtype());
}

}  // namespace eagre::ops
