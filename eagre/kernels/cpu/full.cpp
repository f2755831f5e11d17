// full: a contiguous tensor with one value.
#include <algorithm>

#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::baseline {
namespace {

template <class T>
void fill(const TensorView& out, const Scalar& value) {
  std::fill_n(out.as<T>(), out.numel, value.to<T>());
}

}  // namespace

void full_bool(const TensorView& out, const Scalar& value) { fill<bool>(out, value); }
void full_i64(const TensorView& out, const Scalar& value) { fill<int64_t>(out, value); }
void full_f32(const TensorView& out, const Scalar& value) { fill<float>(out, value); }
void full_f64(const TensorView& out, const Scalar& value) { fill<double>(out, value); }

}  // namespace eagre::kernels::cpu::baseline
