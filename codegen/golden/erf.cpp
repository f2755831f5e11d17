// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/erf.h
// erf: dispatch, and recording of the gradient. Generated from ops/unary.yaml:517; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase erf(const TensorBase& input, CallSite at);
EAGRE_API void erf_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/erf.cpp
// erf: recording. Generated from ops/unary.yaml:517; do not edit.
#include <eagre/autograd/ops/erf.h>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/exp.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/square.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/erf.h>

namespace eagre::ops {
namespace {

class ErfNode final : public autograd::Node {
 public:
  explicit ErfNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "ErfBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
};

void ErfNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    input_.skip(call);
    return;
  }
  const CallSite at = CallSite::of_id(site());
  TensorBase input;
  if (call.wants(0)) {
    input = input_.read(*this, call, "input");
  } else {
    input_.skip(call);
  }
  if (call.wants(0)) call.set(0, ops::mul(ops::mul(g, ops::exp(ops::neg(ops::square(input, at), at), at), at), 1.1283791670955126, at));
}

}  // namespace

TensorBase erf(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::erf(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<ErfNode>::adopt(new ErfNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void erf_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<ErfNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("erf_", input);
    TensorBase original;
    if (autograd::needs_grad(input)) original = ops::clone(input, at);
    node = IntrusivePtr<ErfNode>::adopt(new ErfNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(original);
  }
  dispatch::erf_(input);
  autograd::note_write(input, "erf_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/erf.h
// erf: dispatch to kernels, without recording. Generated from ops/unary.yaml:517; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase erf(const TensorBase& input);
void erf_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/erf.cpp
// erf: dispatch to kernels. Generated from ops/unary.yaml:517; do not edit.
#include <eagre/dispatch/ops/erf.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void erf_f32(char* const*, const int64_t*, int64_t, const void*);
void erf_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void erf_f32(char* const*, const int64_t*, int64_t, const void*);
void erf_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void erf_f32(char* const*, const int64_t*, int64_t, const void*);
void erf_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::erf_f32,
     &kernels::cpu::baseline::erf_f32,
     &kernels::cpu::baseline::erf_f32,
     &kernels::cpu::baseline::erf_f64},
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
     &kernels::cpu::baseline::erf_f32,
     &kernels::cpu::baseline::erf_f64}};
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
     &kernels::cpu::avx2::erf_f32,
     &kernels::cpu::avx2::erf_f32,
     &kernels::cpu::avx2::erf_f32,
     &kernels::cpu::avx2::erf_f64},
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
     &kernels::cpu::avx2::erf_f32,
     &kernels::cpu::avx2::erf_f64}};
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
     &kernels::cpu::avx512::erf_f32,
     &kernels::cpu::avx512::erf_f32,
     &kernels::cpu::avx512::erf_f32,
     &kernels::cpu::avx512::erf_f64},
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
     &kernels::cpu::avx512::erf_f32,
     &kernels::cpu::avx512::erf_f64}};
constinit PointwiseOp op{{"erf", "erf(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& erf_entry = op.entry;

TensorBase erf(const TensorBase& input) {
  return unary(op, input);
}

void erf_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/erf.cpp
// Loops of the pointwise kernel 'erf'. Generated from ops/unary.yaml:517; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/erf.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::erf(a);
  });
}

}  // namespace

void erf_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void erf_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
