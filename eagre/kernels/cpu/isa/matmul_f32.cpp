// Matrix products of what is computed in float: float16, float and complex float.
#include <eagre/kernels/cpu/isa/matmul.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void matmul_f32(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<float>(out, input, other);
}
void matmul_f16(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<Half>(out, input, other);
}
void matmul_c64(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<Complex<float>>(out, input, other);
}
void affine_f32(const TensorView& out, const TensorView& input, const TensorView& weight,
                const TensorView& bias) {
  affine<float>(out, input, weight, bias);
}
void product_f32(const ProductParts& parts) { product<float>(parts); }
void product_c64(const ProductParts& parts) { product<Complex<float>>(parts); }

}  // namespace eagre::kernels::cpu::EAGRE_ISA
