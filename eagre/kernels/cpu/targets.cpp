// The check of class numbers.
#include <eagre/kernels/cpu/targets.h>

#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu {

void check_targets(const char* op, const TensorView& target, int64_t classes,
                   int64_t ignore_index) {
  for (int64_t i = 0; i < target.numel; ++i) {
    const int64_t value = target.as<const int64_t>()[i * target.strides[0]];
    if ((value >= 0 && value < classes) || value == ignore_index) continue;
    raise(ErrorKind::kIndex,
          ArgumentProblem{op, "target", concat("class numbers from 0 to ", classes - 1),
                          concat(value, " at position ", i)});
  }
}

}  // namespace eagre::kernels::cpu
