// Matrix products of int32.
#include <eagre/kernels/cpu/isa/matmul.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void matmul_i32(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<int32_t>(out, input, other);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
