// Logarithm and square root of single results, where one call per row costs nothing.
#pragma once

#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

EAGRE_INLINE float natural_log(float x) { return __builtin_logf(x); }
EAGRE_INLINE double natural_log(double x) { return __builtin_log(x); }
EAGRE_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
EAGRE_INLINE double square_root(double x) { return __builtin_sqrt(x); }

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
