// What a random operation says of an element that it cannot use. Kernels of every instruction set
// share it, so none of it is inline.
#pragma once

#include <eagre/base/export.h>
#include <eagre/kernels/scalar/random_input.h>

namespace eagre::kernels::cpu {

[[noreturn]] EAGRE_API void refuse_random_input(const char* op, const scalar::RandomInput& input,
                                                float value);
[[noreturn]] EAGRE_API void refuse_random_input(const char* op, const scalar::RandomInput& input,
                                                double value);

}  // namespace eagre::kernels::cpu
