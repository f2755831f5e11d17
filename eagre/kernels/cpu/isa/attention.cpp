// Attention of float and double.
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/attention_backward.h>
#include <eagre/kernels/cpu/isa/attention_forward.h>

namespace eagre::kernels::cpu::EAGRE_ISA {

void attention_f32(const TensorView& out, const TensorView& log_sum, const TensorView& query,
                   const TensorView& key, const TensorView& value, const TensorView& mask,
                   bool is_causal, double scale) {
  attention<float>(out, log_sum, query, key, value, mask, is_causal, scale);
}
void attention_f64(const TensorView& out, const TensorView& log_sum, const TensorView& query,
                   const TensorView& key, const TensorView& value, const TensorView& mask,
                   bool is_causal, double scale) {
  attention<double>(out, log_sum, query, key, value, mask, is_causal, scale);
}
void attention_backward_f32(const TensorView& grad_query, const TensorView& grad_key,
                            const TensorView& grad_value, const TensorView& g,
                            const TensorView& query, const TensorView& key, const TensorView& value,
                            const TensorView& mask, const TensorView& out,
                            const TensorView& log_sum, bool is_causal, double scale) {
  const ScoreMask rules{mask, is_causal};
  attention_backward<float>(
      grad_query, grad_key, grad_value,
      {g, query, key, value, mask, out, log_sum, rules, static_cast<float>(scale)});
}
void attention_backward_f64(const TensorView& grad_query, const TensorView& grad_key,
                            const TensorView& grad_value, const TensorView& g,
                            const TensorView& query, const TensorView& key, const TensorView& value,
                            const TensorView& mask, const TensorView& out,
                            const TensorView& log_sum, bool is_causal, double scale) {
  const ScoreMask rules{mask, is_causal};
  attention_backward<double>(grad_query, grad_key, grad_value,
                             {g, query, key, value, mask, out, log_sum, rules, scale});
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
