// sum and mean over some dimensions.
#include <eagre/kernels/cpu/isa/reduce.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
void mean(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  reduce<Add<T>, T>(out, input, dims);
  if (out.numel == 0) return;
  const T count = static_cast<T>(input.numel / out.numel);
  T* result = out.as<T>();
  for (int64_t i = 0; i < out.numel; ++i) result[i] /= count;
}

// Complex numbers with their parts as one more dimension, so that sums are those of reals.
class Parts {
 public:
  explicit Parts(const TensorView& complex) : view_(complex) {
    for (int64_t d = 0; d < complex.rank(); ++d) {
      sizes_[d] = complex.sizes[d];
      strides_[d] = complex.strides[d] * 2;
    }
    const auto rank = static_cast<size_t>(complex.rank());
    sizes_[rank] = 2;
    strides_[rank] = 1;
    view_.sizes = Dims(sizes_, rank + 1);
    view_.strides = Dims(strides_, rank + 1);
    view_.numel *= 2;
  }
  const TensorView& get() const { return view_; }

 private:
  int64_t sizes_[kMaxDims + 1], strides_[kMaxDims + 1];
  TensorView view_;
};

template <class T>
void sum_parts(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  const uint64_t parts = uint64_t{1} << input.rank();
  reduce<Add<T>, T>(Parts(out).get(), Parts(input).get(), reduced_dims(input, dims) & ~parts);
}

template <class T>
void mean_parts(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  sum_parts<T>(out, input, dims);
  if (out.numel == 0) return;
  const T count = static_cast<T>(input.numel / out.numel);
  T* result = out.as<T>();
  for (int64_t i = 0; i < 2 * out.numel; ++i) result[i] /= count;
}

}  // namespace

void sum_bool(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  reduce<Either, uint8_t>(out, input, dim);
}
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
void sum_c64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  sum_parts<float>(out, input, dim);
}
void sum_c128(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  sum_parts<double>(out, input, dim);
}
void mean_c64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  mean_parts<float>(out, input, dim);
}
void mean_c128(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  mean_parts<double>(out, input, dim);
}
void mean_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  mean<float>(out, input, dim);
}
void mean_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  mean<double>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
