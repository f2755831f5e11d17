// batch_norm and group_norm.
#include <eagre/kernels/cpu/isa/channel_norm.h>

#include <cstdint>

#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void channel_norm_f32(const TensorView& out, const TensorView& mean, const TensorView& variance,
                      const TensorView& input, const TensorView& weight, const TensorView& bias,
                      int64_t groups, double eps) {
  channel_norm<float>(out, mean, variance, input, weight, bias, groups, eps);
}
void channel_norm_f64(const TensorView& out, const TensorView& mean, const TensorView& variance,
                      const TensorView& input, const TensorView& weight, const TensorView& bias,
                      int64_t groups, double eps) {
  channel_norm<double>(out, mean, variance, input, weight, bias, groups, eps);
}
void channel_norm_backward_f32(const TensorView& grad_input, const TensorView& grad_weight,
                               const TensorView& grad_bias, const TensorView& g,
                               const TensorView& input, const TensorView& mean,
                               const TensorView& variance, const TensorView& weight, int64_t groups,
                               double eps) {
  channel_norm_backward<float>(grad_input, grad_weight, grad_bias, g, input, mean, variance, weight,
                               groups, eps);
}
void channel_norm_backward_f64(const TensorView& grad_input, const TensorView& grad_weight,
                               const TensorView& grad_bias, const TensorView& g,
                               const TensorView& input, const TensorView& mean,
                               const TensorView& variance, const TensorView& weight, int64_t groups,
                               double eps) {
  channel_norm_backward<double>(grad_input, grad_weight, grad_bias, g, input, mean, variance,
                                weight, groups, eps);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
