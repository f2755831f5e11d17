// sum and mean over some dimensions.
#include <eagre/kernels/cpu/levels/reduce.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void mean(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  reduce<Add<T>, T>(out, input, dims);
  if (out.numel == 0) return;
  const T count = static_cast<T>(input.numel / out.numel);
  T* result = out.as<T>();
  for (int64_t i = 0; i < out.numel; ++i) result[i] /= count;
}

}  // namespace

void sum_i32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Add<int32_t>, int32_t>(out, input, dim);
}
void sum_i64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Add<int64_t>, int64_t>(out, input, dim);
}
void sum_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Add<float>, float>(out, input, dim);
}
void sum_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Add<double>, double>(out, input, dim);
}
void mean_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  mean<float>(out, input, dim);
}
void mean_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  mean<double>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
