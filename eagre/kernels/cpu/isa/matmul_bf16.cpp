// Matrix products of bfloat16, whose pairs the level avx512_bf16 multiplies as they are.
#include <eagre/kernels/cpu/isa.h>
#include <eagre/kernels/cpu/isa/matmul.h>

namespace eagre::kernels::cpu {
namespace avx512_bf16 {
void matmul_bf16(const TensorView& out, const TensorView& input, const TensorView& other);
}

namespace EAGRE_ISA {

void matmul_bf16(const TensorView& out, const TensorView& input, const TensorView& other) {
#if defined(__AVX512F__) && !defined(__AVX512BF16__)
  if (current_isa() == Isa::kAvx512Bf16) return avx512_bf16::matmul_bf16(out, input, other);
#endif
  matmul<BFloat16>(out, input, other);
}

}  // namespace EAGRE_ISA
}  // namespace eagre::kernels::cpu
