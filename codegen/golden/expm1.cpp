// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/expm1.h
// expm1: dispatch, and recording of the gradient. Generated from ops/unary.yaml:213; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase expm1(const TensorBase& input, CallSite at);
EAGRE_API void expm1_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/expm1.cpp
// expm1: recording. Generated from ops/unary.yaml:213; do not edit.
#include <eagre/autograd/ops/expm1.h>

#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/expm1.h>

namespace eagre::ops {
namespace {

class Expm1Node final : public autograd::Node {
 public:
  explicit Expm1Node(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "Expm1Backward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor result_;
};

void Expm1Node::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    result_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase result;
  if (call.wants(0)) {
    result = result_.read(*this, call, "result");
  } else {
    result_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::mul(std::move(g), ops::add(result, 1, 1, at), at));
}

}  // namespace

TensorBase expm1(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::expm1(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<Expm1Node>::adopt(new Expm1Node(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->result_.save_output(result);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void expm1_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<Expm1Node> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("expm1_", input);
    node = IntrusivePtr<Expm1Node>::adopt(new Expm1Node(at.intern()));
    autograd::connect(*node, 0, input);
  }
  dispatch::expm1_(input);
  autograd::note_write(input, "expm1_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
    if (node->has_edge(0)) node->result_.save_output(input);
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/expm1.h
// expm1: dispatch to kernels, without recording. Generated from ops/unary.yaml:213; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase expm1(const TensorBase& input);
void expm1_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/expm1.cpp
// expm1: dispatch to kernels. Generated from ops/unary.yaml:213; do not edit.
#include <eagre/dispatch/ops/expm1.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void expm1_f32(char* const*, const int64_t*, int64_t, const void*);
void expm1_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void expm1_f32(char* const*, const int64_t*, int64_t, const void*);
void expm1_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void expm1_f32(char* const*, const int64_t*, int64_t, const void*);
void expm1_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::expm1_f32,
     &kernels::cpu::baseline::expm1_f32,
     &kernels::cpu::baseline::expm1_f32,
     &kernels::cpu::baseline::expm1_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::expm1_f32,
     &kernels::cpu::baseline::expm1_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::expm1_f32,
     &kernels::cpu::avx2::expm1_f32,
     &kernels::cpu::avx2::expm1_f32,
     &kernels::cpu::avx2::expm1_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::expm1_f32,
     &kernels::cpu::avx2::expm1_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::expm1_f32,
     &kernels::cpu::avx512::expm1_f32,
     &kernels::cpu::avx512::expm1_f32,
     &kernels::cpu::avx512::expm1_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::expm1_f32,
     &kernels::cpu::avx512::expm1_f64}};
constinit PointwiseOp op{{"expm1", "expm1(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& expm1_entry = op.entry;

TensorBase expm1(const TensorBase& input) {
  return unary(op, input);
}

void expm1_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/expm1.cpp
// Loops of the pointwise kernel 'expm1'. Generated from ops/unary.yaml:213; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/expm1.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::expm1(a);
  });
}

}  // namespace

void expm1_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void expm1_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
