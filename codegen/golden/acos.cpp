// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/acos.h
// acos: dispatch, and recording of the gradient. Generated from ops/unary.yaml:403; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase acos(const TensorBase& input, CallSite at);
EAGRE_API void acos_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/acos.cpp
// acos: recording. Generated from ops/unary.yaml:403; do not edit.
#include <eagre/autograd/ops/acos.h>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/rsqrt.h>
#include <eagre/autograd/ops/rsub.h>
#include <eagre/autograd/ops/square.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/acos.h>

namespace eagre::ops {
namespace {

class AcosNode final : public autograd::Node {
 public:
  explicit AcosNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "AcosBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
};

void AcosNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::neg(ops::mul(g, ops::rsqrt(ops::rsub(ops::square(input, at), 1, 1, at), at), at), at));
}

}  // namespace

TensorBase acos(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::acos(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<AcosNode>::adopt(new AcosNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void acos_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<AcosNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("acos_", input);
    TensorBase original;
    if (autograd::needs_grad(input)) original = ops::clone(input, at);
    node = IntrusivePtr<AcosNode>::adopt(new AcosNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(original);
  }
  dispatch::acos_(input);
  autograd::note_write(input, "acos_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/acos.h
// acos: dispatch to kernels, without recording. Generated from ops/unary.yaml:403; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase acos(const TensorBase& input);
void acos_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/acos.cpp
// acos: dispatch to kernels. Generated from ops/unary.yaml:403; do not edit.
#include <eagre/dispatch/ops/acos.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void acos_f32(char* const*, const int64_t*, int64_t, const void*);
void acos_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void acos_f32(char* const*, const int64_t*, int64_t, const void*);
void acos_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void acos_f32(char* const*, const int64_t*, int64_t, const void*);
void acos_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::acos_f32,
     &kernels::cpu::baseline::acos_f32,
     &kernels::cpu::baseline::acos_f32,
     &kernels::cpu::baseline::acos_f64},
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
     &kernels::cpu::baseline::acos_f32,
     &kernels::cpu::baseline::acos_f64}};
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
     &kernels::cpu::avx2::acos_f32,
     &kernels::cpu::avx2::acos_f32,
     &kernels::cpu::avx2::acos_f32,
     &kernels::cpu::avx2::acos_f64},
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
     &kernels::cpu::avx2::acos_f32,
     &kernels::cpu::avx2::acos_f64}};
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
     &kernels::cpu::avx512::acos_f32,
     &kernels::cpu::avx512::acos_f32,
     &kernels::cpu::avx512::acos_f32,
     &kernels::cpu::avx512::acos_f64},
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
     &kernels::cpu::avx512::acos_f32,
     &kernels::cpu::avx512::acos_f64}};
constinit PointwiseOp op{{"acos", "acos(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& acos_entry = op.entry;

TensorBase acos(const TensorBase& input) {
  return unary(op, input);
}

void acos_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/acos.cpp
// Loops of the pointwise kernel 'acos'. Generated from ops/unary.yaml:403; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/acos.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::acos(a);
  });
}

}  // namespace

void acos_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void acos_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
