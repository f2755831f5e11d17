// Checks of class numbers, which only a kernel can see.
#pragma once

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/bounded.h>

namespace eagre::kernels::cpu {

// Every element of the int64 vector `target` is ignore_index or in [0, classes); else an index
// error that names the first that is not.
EAGRE_API void check_targets(const char* op, const TensorView& target, int64_t classes,
                             int64_t ignore_index);

}  // namespace eagre::kernels::cpu
