// amax, amin, all and any over some dimensions.
#include <eagre/kernels/cpu/isa/reduce.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Of `all` and `any` an empty list means no dimension.
uint64_t bool_dims(const TensorView& input, const OptionalDims& dim) {
  return dim.given() && dim.values().empty() ? 0 : reduced_dims(input, dim);
}

}  // namespace

void amax_i32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Largest<int32_t>, int32_t>(out, input, dim);
}
void amax_i64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Largest<int64_t>, int64_t>(out, input, dim);
}
void amax_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Largest<float>, float>(out, input, dim);
}
void amax_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Largest<double>, double>(out, input, dim);
}
void amin_i32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Smallest<int32_t>, int32_t>(out, input, dim);
}
void amin_i64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Smallest<int64_t>, int64_t>(out, input, dim);
}
void amin_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Smallest<float>, float>(out, input, dim);
}
void amin_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Smallest<double>, double>(out, input, dim);
}
void amax_bool(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Either, uint8_t>(out, input, dim);
}
void amin_bool(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Both, uint8_t>(out, input, dim);
}
void all_bool(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Both, uint8_t>(out, input, bool_dims(input, dim));
}
void any_bool(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Either, uint8_t>(out, input, bool_dims(input, dim));
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
