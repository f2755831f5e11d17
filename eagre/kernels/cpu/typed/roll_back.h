// roll_back: undoes roll.
#pragma once

#include <eagre/kernels/cpu/typed/roll.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void roll_back(const TensorView& out, const TensorView& input, const OptionalDims& shifts,
               const OptionalDims& dims) {
  roll_towards<T>(out, input, shifts.values(), dims.values(), -1);
}

}  // namespace eagre::kernels::cpu::typed
