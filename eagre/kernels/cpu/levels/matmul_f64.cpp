// Matrix products of double.
#include <eagre/kernels/cpu/levels/matmul.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {

void matmul_f64(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<double>(out, input, other);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
