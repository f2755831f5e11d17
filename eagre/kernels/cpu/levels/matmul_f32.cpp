// Matrix products of float.
#include <eagre/kernels/cpu/levels/matmul.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {

void matmul_f32(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<float>(out, input, other);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
