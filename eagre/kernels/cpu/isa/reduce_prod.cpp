// prod over some dimensions.
#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/isa/reduce.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
void complex_prod(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  using Number = Complex<T>;
  auto* result = out.as<Number>();
  for (int64_t i = 0; i < out.numel; ++i) result[i] = Number(1);
  if (input.numel == 0) return;
  for_each_cell(Reduction(input, reduced_dims(input, dims)), input.as<const Number>(),
                [&](const Cell<Number>& cell) {
                  const int64_t depth = cell.reduced.numel();
                  for (int64_t i = 0; i < depth; ++i) {
                    const Number* row = cell.data + cell.reduced.offset(i);
                    for (int64_t j = 0; j < cell.width; ++j) result[cell.out + j] *= row[j];
                  }
                });
}

}  // namespace

void prod_bool(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Both, uint8_t>(out, input, dim);
}
void prod_i32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Multiply<int32_t>, int32_t>(out, input, dim);
}
void prod_i64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Multiply<int64_t>, int64_t>(out, input, dim);
}
void prod_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Multiply<float>, float>(out, input, dim);
}
void prod_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Multiply<double>, double>(out, input, dim);
}
void prod_c64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  complex_prod<float>(out, input, dim);
}
void prod_c128(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  complex_prod<double>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
