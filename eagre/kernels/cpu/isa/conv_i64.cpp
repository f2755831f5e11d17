// Convolutions of int64_t.
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/conv.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void convolution_i64(const TensorView& out, const TensorView& input, const TensorView& weight,
                     const TensorView& bias, Dims stride, Dims padding, Dims dilation,
                     int64_t groups) {
  convolution<int64_t>(out, input, weight, bias, {stride, padding, dilation, groups});
}
void convolution_transpose_i64(const TensorView& out, const TensorView& input,
                               const TensorView& weight, const TensorView& bias, Dims stride,
                               Dims padding, Dims dilation, int64_t groups) {
  convolution_transpose<int64_t>(out, input, weight, bias, {stride, padding, dilation, groups});
}
void convolution_weight_i64(const TensorView& out, const TensorView& g, const TensorView& input,
                            Dims stride, Dims padding, Dims dilation, int64_t groups) {
  convolution_weight<int64_t>(out, g, input, {stride, padding, dilation, groups});
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
