// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/log.h
// log: dispatch, and recording of the gradient. Generated from ops/unary.yaml:232; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase log(const TensorBase& input, CallSite at);
EAGRE_API void log_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/log.cpp
// log: recording. Generated from ops/unary.yaml:232; do not edit.
#include <eagre/autograd/ops/log.h>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/log.h>

namespace eagre::ops {
namespace {

class LogNode final : public autograd::Node {
 public:
  explicit LogNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "LogBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
};

void LogNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::div(std::move(g), input, at));
}

}  // namespace

TensorBase log(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::log(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<LogNode>::adopt(new LogNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void log_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<LogNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("log_", input);
    TensorBase original;
    if (autograd::needs_grad(input)) original = ops::clone(input, at);
    node = IntrusivePtr<LogNode>::adopt(new LogNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(original);
  }
  dispatch::log_(input);
  autograd::note_write(input, "log_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/log.h
// log: dispatch to kernels, without recording. Generated from ops/unary.yaml:232; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase log(const TensorBase& input);
void log_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/log.cpp
// log: dispatch to kernels. Generated from ops/unary.yaml:232; do not edit.
#include <eagre/dispatch/ops/log.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void log_f32(char* const*, const int64_t*, int64_t, const void*);
void log_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void log_f32(char* const*, const int64_t*, int64_t, const void*);
void log_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void log_f32(char* const*, const int64_t*, int64_t, const void*);
void log_f64(char* const*, const int64_t*, int64_t, const void*);
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
     &kernels::cpu::baseline::log_f32,
     &kernels::cpu::baseline::log_f32,
     &kernels::cpu::baseline::log_f32,
     &kernels::cpu::baseline::log_f64},
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
     &kernels::cpu::baseline::log_f32,
     &kernels::cpu::baseline::log_f64}};
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
     &kernels::cpu::avx2::log_f32,
     &kernels::cpu::avx2::log_f32,
     &kernels::cpu::avx2::log_f32,
     &kernels::cpu::avx2::log_f64},
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
     &kernels::cpu::avx2::log_f32,
     &kernels::cpu::avx2::log_f64}};
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
     &kernels::cpu::avx512::log_f32,
     &kernels::cpu::avx512::log_f32,
     &kernels::cpu::avx512::log_f32,
     &kernels::cpu::avx512::log_f64},
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
     &kernels::cpu::avx512::log_f32,
     &kernels::cpu::avx512::log_f64}};
constinit PointwiseOp op{{"log", "log(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromoteFloat, false, 0, {"input"}, {}};
}  // namespace

OpEntry& log_entry = op.entry;

TensorBase log(const TensorBase& input) {
  return unary(op, input);
}

void log_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/log.cpp
// Loops of the pointwise kernel 'log'. Generated from ops/unary.yaml:232; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/log.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::log(a);
  });
}

}  // namespace

void log_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void log_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
