// full: a contiguous tensor with one value.
#include <algorithm>

#include <eagre/base/thread_pool.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::baseline {
namespace {

template <class T>
void fill(const TensorView& out, const Scalar& value) {
  constexpr int64_t kGrain = 1 << 17;
  T* data = out.as<T>();
  const T number = value.to<T>();
  parallel_for(0, out.numel, kGrain,
               [=](int64_t begin, int64_t end) { std::fill(data + begin, data + end, number); });
}

}  // namespace

void full_bool(const TensorView& out, const Scalar& value) { fill<bool>(out, value); }
void full_u8(const TensorView& out, const Scalar& value) { fill<uint8_t>(out, value); }
void full_i8(const TensorView& out, const Scalar& value) { fill<int8_t>(out, value); }
void full_i16(const TensorView& out, const Scalar& value) { fill<int16_t>(out, value); }
void full_i32(const TensorView& out, const Scalar& value) { fill<int32_t>(out, value); }
void full_i64(const TensorView& out, const Scalar& value) { fill<int64_t>(out, value); }
void full_u16(const TensorView& out, const Scalar& value) { fill<uint16_t>(out, value); }
void full_u32(const TensorView& out, const Scalar& value) { fill<uint32_t>(out, value); }
void full_u64(const TensorView& out, const Scalar& value) { fill<uint64_t>(out, value); }
void full_f16(const TensorView& out, const Scalar& value) { fill<Half>(out, value); }
void full_bf16(const TensorView& out, const Scalar& value) { fill<BFloat16>(out, value); }
void full_f32(const TensorView& out, const Scalar& value) { fill<float>(out, value); }
void full_f64(const TensorView& out, const Scalar& value) { fill<double>(out, value); }

}  // namespace eagre::kernels::cpu::baseline
