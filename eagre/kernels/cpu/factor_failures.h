// What is said of matrices that have no factorization.
#pragma once

#include <eagre/base/export.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu {

enum class Factorization : unsigned char { kInverse, kSolution, kCholesky, kLu };

// Raises for the first matrix whose number in `info` (int32) is not 0: that of the pivot that is
// zero, or of the leading minor that is not positive.
EAGRE_API void check_factored(Factorization what, const TensorView& info);

}  // namespace eagre::kernels::cpu
