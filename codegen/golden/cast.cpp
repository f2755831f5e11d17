// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/cast.h
// cast: dispatch, and recording of the gradient. Generated from ops/binary.yaml:409; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase cast(const TensorBase& input, DType dtype, CallSite at);

}  // namespace eagre::ops

// ======== autograd/binary_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/conjugate.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/cast.h>
#include <eagre/dispatch/ops/cast.h>

// ---- ops/binary.yaml:409 ----
namespace eagre::ops {

namespace {

class CastNode final : public autograd::Node {
 public:
  CastNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "ToCopyBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("self_dtype", input_dtype_);
  }

  DType input_dtype_;
};

void CastNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::cast(g, input_dtype_, at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase cast_transformed(const TensorBase& input, DType dtype, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::cast(input, dtype, at);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<CastNode>::adopt(new CastNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->input_dtype_ = input.dtype();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::cast(result, input, dtype, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase cast_plainly(const TensorBase& input, DType dtype, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::cast(input, dtype);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<CastNode>::adopt(new CastNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->input_dtype_ = input.dtype();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase cast(const TensorBase& input, DType dtype, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return cast_transformed(input, dtype, at);
  return cast_plainly(input, dtype, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/cast.h
// cast: dispatch to kernels, without recording. Generated from ops/binary.yaml:409; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase cast(const TensorBase& input, DType dtype);

}  // namespace eagre::dispatch

// ======== dispatch/binary_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/cast.h>
#include <eagre/dispatch/pointwise.h>

// ---- ops/binary.yaml:409 ----
namespace eagre::kernels::cpu {
namespace baseline {
void identity_bool(char* const*, const int64_t*, int64_t, const void*);
void identity_u8(char* const*, const int64_t*, int64_t, const void*);
void identity_i8(char* const*, const int64_t*, int64_t, const void*);
void identity_i16(char* const*, const int64_t*, int64_t, const void*);
void identity_i32(char* const*, const int64_t*, int64_t, const void*);
void identity_i64(char* const*, const int64_t*, int64_t, const void*);
void identity_u16(char* const*, const int64_t*, int64_t, const void*);
void identity_u32(char* const*, const int64_t*, int64_t, const void*);
void identity_u64(char* const*, const int64_t*, int64_t, const void*);
void identity_f16(char* const*, const int64_t*, int64_t, const void*);
void identity_bf16(char* const*, const int64_t*, int64_t, const void*);
void identity_f32(char* const*, const int64_t*, int64_t, const void*);
void identity_f64(char* const*, const int64_t*, int64_t, const void*);
void identity_c64(char* const*, const int64_t*, int64_t, const void*);
void identity_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void identity_bool(char* const*, const int64_t*, int64_t, const void*);
void identity_u8(char* const*, const int64_t*, int64_t, const void*);
void identity_i8(char* const*, const int64_t*, int64_t, const void*);
void identity_i16(char* const*, const int64_t*, int64_t, const void*);
void identity_i32(char* const*, const int64_t*, int64_t, const void*);
void identity_i64(char* const*, const int64_t*, int64_t, const void*);
void identity_u16(char* const*, const int64_t*, int64_t, const void*);
void identity_u32(char* const*, const int64_t*, int64_t, const void*);
void identity_u64(char* const*, const int64_t*, int64_t, const void*);
void identity_f16(char* const*, const int64_t*, int64_t, const void*);
void identity_bf16(char* const*, const int64_t*, int64_t, const void*);
void identity_f32(char* const*, const int64_t*, int64_t, const void*);
void identity_f64(char* const*, const int64_t*, int64_t, const void*);
void identity_c64(char* const*, const int64_t*, int64_t, const void*);
void identity_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void identity_bool(char* const*, const int64_t*, int64_t, const void*);
void identity_u8(char* const*, const int64_t*, int64_t, const void*);
void identity_i8(char* const*, const int64_t*, int64_t, const void*);
void identity_i16(char* const*, const int64_t*, int64_t, const void*);
void identity_i32(char* const*, const int64_t*, int64_t, const void*);
void identity_i64(char* const*, const int64_t*, int64_t, const void*);
void identity_u16(char* const*, const int64_t*, int64_t, const void*);
void identity_u32(char* const*, const int64_t*, int64_t, const void*);
void identity_u64(char* const*, const int64_t*, int64_t, const void*);
void identity_f16(char* const*, const int64_t*, int64_t, const void*);
void identity_bf16(char* const*, const int64_t*, int64_t, const void*);
void identity_f32(char* const*, const int64_t*, int64_t, const void*);
void identity_f64(char* const*, const int64_t*, int64_t, const void*);
void identity_c64(char* const*, const int64_t*, int64_t, const void*);
void identity_c128(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace cast_op {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::identity_bool,
     &kernels::cpu::baseline::identity_u8,
     &kernels::cpu::baseline::identity_i8,
     &kernels::cpu::baseline::identity_i16,
     &kernels::cpu::baseline::identity_i32,
     &kernels::cpu::baseline::identity_i64,
     &kernels::cpu::baseline::identity_u16,
     &kernels::cpu::baseline::identity_u32,
     &kernels::cpu::baseline::identity_u64,
     &kernels::cpu::baseline::identity_f16,
     &kernels::cpu::baseline::identity_bf16,
     &kernels::cpu::baseline::identity_f32,
     &kernels::cpu::baseline::identity_f64,
     &kernels::cpu::baseline::identity_c64,
     &kernels::cpu::baseline::identity_c128},
    {&kernels::cpu::baseline::identity_bool,
     &kernels::cpu::baseline::identity_u8,
     &kernels::cpu::baseline::identity_i8,
     &kernels::cpu::baseline::identity_i16,
     &kernels::cpu::baseline::identity_i32,
     &kernels::cpu::baseline::identity_i64,
     &kernels::cpu::baseline::identity_u16,
     &kernels::cpu::baseline::identity_u32,
     &kernels::cpu::baseline::identity_u64,
     &kernels::cpu::baseline::identity_f16,
     &kernels::cpu::baseline::identity_bf16,
     &kernels::cpu::baseline::identity_f32,
     &kernels::cpu::baseline::identity_f64,
     &kernels::cpu::baseline::identity_c64,
     &kernels::cpu::baseline::identity_c128}};
constexpr TypedRow<Function> kAvx2{
    {&kernels::cpu::avx2::identity_bool,
     &kernels::cpu::avx2::identity_u8,
     &kernels::cpu::avx2::identity_i8,
     &kernels::cpu::avx2::identity_i16,
     &kernels::cpu::avx2::identity_i32,
     &kernels::cpu::avx2::identity_i64,
     &kernels::cpu::avx2::identity_u16,
     &kernels::cpu::avx2::identity_u32,
     &kernels::cpu::avx2::identity_u64,
     &kernels::cpu::avx2::identity_f16,
     &kernels::cpu::avx2::identity_bf16,
     &kernels::cpu::avx2::identity_f32,
     &kernels::cpu::avx2::identity_f64,
     &kernels::cpu::avx2::identity_c64,
     &kernels::cpu::avx2::identity_c128},
    {&kernels::cpu::avx2::identity_bool,
     &kernels::cpu::avx2::identity_u8,
     &kernels::cpu::avx2::identity_i8,
     &kernels::cpu::avx2::identity_i16,
     &kernels::cpu::avx2::identity_i32,
     &kernels::cpu::avx2::identity_i64,
     &kernels::cpu::avx2::identity_u16,
     &kernels::cpu::avx2::identity_u32,
     &kernels::cpu::avx2::identity_u64,
     &kernels::cpu::avx2::identity_f16,
     &kernels::cpu::avx2::identity_bf16,
     &kernels::cpu::avx2::identity_f32,
     &kernels::cpu::avx2::identity_f64,
     &kernels::cpu::avx2::identity_c64,
     &kernels::cpu::avx2::identity_c128}};
constexpr TypedRow<Function> kAvx512{
    {&kernels::cpu::avx512::identity_bool,
     &kernels::cpu::avx512::identity_u8,
     &kernels::cpu::avx512::identity_i8,
     &kernels::cpu::avx512::identity_i16,
     &kernels::cpu::avx512::identity_i32,
     &kernels::cpu::avx512::identity_i64,
     &kernels::cpu::avx512::identity_u16,
     &kernels::cpu::avx512::identity_u32,
     &kernels::cpu::avx512::identity_u64,
     &kernels::cpu::avx512::identity_f16,
     &kernels::cpu::avx512::identity_bf16,
     &kernels::cpu::avx512::identity_f32,
     &kernels::cpu::avx512::identity_f64,
     &kernels::cpu::avx512::identity_c64,
     &kernels::cpu::avx512::identity_c128},
    {&kernels::cpu::avx512::identity_bool,
     &kernels::cpu::avx512::identity_u8,
     &kernels::cpu::avx512::identity_i8,
     &kernels::cpu::avx512::identity_i16,
     &kernels::cpu::avx512::identity_i32,
     &kernels::cpu::avx512::identity_i64,
     &kernels::cpu::avx512::identity_u16,
     &kernels::cpu::avx512::identity_u32,
     &kernels::cpu::avx512::identity_u64,
     &kernels::cpu::avx512::identity_f16,
     &kernels::cpu::avx512::identity_bf16,
     &kernels::cpu::avx512::identity_f32,
     &kernels::cpu::avx512::identity_f64,
     &kernels::cpu::avx512::identity_c64,
     &kernels::cpu::avx512::identity_c128}};
constinit PointwiseOp op{{"cast", "cast(Tensor,dtype)->Tensor", "cast", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kArgument, ResultRule::kCompute, 0x7fff, 0, 0, {"input"}, {}};
}  // namespace
}  // namespace cast_op

OpEntry& cast_entry = cast_op::op.entry;

TensorBase cast(const TensorBase& input, DType dtype) {
  using namespace cast_op;
  return unary(op, input, nullptr, dtype);
}

}  // namespace eagre::dispatch

// ======== kernels/levels/identity.cpp
// Loops of the pointwise kernel 'identity'. Generated from ops/binary.yaml:409; do not edit.
#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/identity.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T, T>(data, strides, n, [](T a) {
    return scalar::identity(a);
  });
}

}  // namespace

void identity_bool(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<bool>(data, strides, n, attributes);
}
void identity_u8(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<uint8_t>(data, strides, n, attributes);
}
void identity_i8(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int8_t>(data, strides, n, attributes);
}
void identity_i16(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int16_t>(data, strides, n, attributes);
}
void identity_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void identity_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void identity_u16(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<uint16_t>(data, strides, n, attributes);
}
void identity_u32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<uint32_t>(data, strides, n, attributes);
}
void identity_u64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<uint64_t>(data, strides, n, attributes);
}
void identity_f16(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Half>(data, strides, n, attributes);
}
void identity_bf16(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<BFloat16>(data, strides, n, attributes);
}
void identity_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void identity_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}
void identity_c64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<float>>(data, strides, n, attributes);
}
void identity_c128(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<Complex<double>>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
