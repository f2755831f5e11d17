// cumsum along a dimension, from its beginning or its end.
#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/isa/row_walk.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// float is added up in double: errors would pile up along the row.
template <class T>
using RunningSum = std::conditional_t<std::is_same_v<T, float>, double, T>;

template <class T, bool kReversed>
void cumsum(const TensorView& out, const TensorView& input, int64_t dim) {
  const TensorView* const views[] = {&out, &input};
  RowWalk<T, 2>(views, dim).run([](T* const* rows, int64_t n) {
    RunningSum<T> sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      const int64_t at = kReversed ? n - 1 - i : i;
      sum += rows[1][at];
      rows[0][at] = static_cast<T>(sum);
    }
  });
}

}  // namespace

void cumsum_i32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<int32_t, false>(out, input, dim);
}
void cumsum_i64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<int64_t, false>(out, input, dim);
}
void cumsum_f32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<float, false>(out, input, dim);
}
void cumsum_f64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<double, false>(out, input, dim);
}
void cumsum_c64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<float>, false>(out, input, dim);
}
void cumsum_c128(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<double>, false>(out, input, dim);
}
void reversed_cumsum_f32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<float, true>(out, input, dim);
}
void reversed_cumsum_f64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<double, true>(out, input, dim);
}
void reversed_cumsum_c64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<float>, true>(out, input, dim);
}
void reversed_cumsum_c128(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<double>, true>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
