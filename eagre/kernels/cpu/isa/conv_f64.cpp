// Convolutions of double.
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/conv.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void convolution_f64(const TensorView& out, const TensorView& input, const TensorView& weight,
                     const TensorView& bias, Dims stride, Dims padding, Dims dilation,
                     int64_t groups) {
  convolution<double>(out, input, weight, bias, {stride, padding, dilation, groups});
}
void convolution_transpose_f64(const TensorView& out, const TensorView& input,
                               const TensorView& weight, const TensorView& bias, Dims stride,
                               Dims padding, Dims dilation, int64_t groups) {
  convolution_transpose<double>(out, input, weight, bias, {stride, padding, dilation, groups});
}
void convolution_weight_f64(const TensorView& out, const TensorView& g, const TensorView& input,
                            Dims stride, Dims padding, Dims dilation, int64_t groups) {
  convolution_weight<double>(out, g, input, {stride, padding, dilation, groups});
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
