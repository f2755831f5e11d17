// Matrix products of double and complex double.
#include <eagre/kernels/cpu/isa/matmul.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void matmul_f64(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<double>(out, input, other);
}
void matmul_c128(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<Complex<double>>(out, input, other);
}
void affine_f64(const TensorView& out, const TensorView& input, const TensorView& weight,
                const TensorView& bias) {
  affine<double>(out, input, weight, bias);
}
void product_f64(const ProductParts& parts) { product<double>(parts); }
void product_c128(const ProductParts& parts) { product<Complex<double>>(parts); }

}  // namespace eagre::kernels::cpu::EAGRE_ISA
