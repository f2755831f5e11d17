// Matrix products of int64.
#include <eagre/kernels/cpu/isa/matmul.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void matmul_i64(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<int64_t>(out, input, other);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
