// cumsum along a dimension.
#include <eagre/kernels/cpu/levels/row_walk.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

// float is added up in double: errors would pile up along the row.
template <class T>
using RunningSum = std::conditional_t<std::is_same_v<T, float>, double, T>;

template <class T>
void cumsum(const TensorView& out, const TensorView& input, int64_t dim) {
  const TensorView* const views[] = {&out, &input};
  RowWalk<T, 2>(views, dim).run([](T* const* rows, int64_t n) {
    RunningSum<T> sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      sum += rows[1][i];
      rows[0][i] = static_cast<T>(sum);
    }
  });
}

}  // namespace

void cumsum_i32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<int32_t>(out, input, dim);
}
void cumsum_i64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<int64_t>(out, input, dim);
}
void cumsum_f32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<float>(out, input, dim);
}
void cumsum_f64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<double>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
