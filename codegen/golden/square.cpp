// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/square.h
// square: dispatch, and recording of the gradient. Generated from ops/unary.yaml:42; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase square(const TensorBase& input, CallSite at);
EAGRE_API void square_(const TensorBase& input, CallSite at);

}  // namespace eagre::ops

// ======== autograd/square.cpp
// square: recording. Generated from ops/unary.yaml:42; do not edit.
#include <eagre/autograd/ops/square.h>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/square.h>

namespace eagre::ops {
namespace {

class SquareNode final : public autograd::Node {
 public:
  explicit SquareNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "SquareBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  autograd::SavedTensor input_;
};

void SquareNode::apply(autograd::BackwardCall& call) {
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
  if (call.wants(0)) call.set(0, ops::mul(ops::mul(g, input, at), 2, at));
}

}  // namespace

TensorBase square(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::square(input);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SquareNode>::adopt(new SquareNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(input);
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}

void square_(const TensorBase& input, CallSite at) {
  thread_state.site = at;
  IntrusivePtr<SquareNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("square_", input);
    TensorBase original;
    if (autograd::needs_grad(input)) original = ops::clone(input, at);
    node = IntrusivePtr<SquareNode>::adopt(new SquareNode(at.intern()));
    autograd::connect(*node, 0, input);
    if (node->has_edge(0)) node->input_.save_input(original);
  }
  dispatch::square_(input);
  autograd::note_write(input, "square_()", at);
  if (node) {
    autograd::Node::give_to(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/square.h
// square: dispatch to kernels, without recording. Generated from ops/unary.yaml:42; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase square(const TensorBase& input);
void square_(const TensorBase& input);

}  // namespace eagre::dispatch

// ======== dispatch/square.cpp
// square: dispatch to kernels. Generated from ops/unary.yaml:42; do not edit.
#include <eagre/dispatch/ops/square.h>

#include <eagre/dispatch/pointwise.h>

namespace eagre::kernels::cpu {
namespace baseline {
void square_i32(char* const*, const int64_t*, int64_t, const void*);
void square_i64(char* const*, const int64_t*, int64_t, const void*);
void square_f32(char* const*, const int64_t*, int64_t, const void*);
void square_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace baseline
namespace avx2 {
void square_i32(char* const*, const int64_t*, int64_t, const void*);
void square_i64(char* const*, const int64_t*, int64_t, const void*);
void square_f32(char* const*, const int64_t*, int64_t, const void*);
void square_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx2
namespace avx512 {
void square_i32(char* const*, const int64_t*, int64_t, const void*);
void square_i64(char* const*, const int64_t*, int64_t, const void*);
void square_f32(char* const*, const int64_t*, int64_t, const void*);
void square_f64(char* const*, const int64_t*, int64_t, const void*);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace {
using Function = void(char* const*, const int64_t*, int64_t, const void*);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     &kernels::cpu::baseline::square_i32,
     &kernels::cpu::baseline::square_i32,
     &kernels::cpu::baseline::square_i32,
     &kernels::cpu::baseline::square_i32,
     &kernels::cpu::baseline::square_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::square_f32,
     &kernels::cpu::baseline::square_f32,
     &kernels::cpu::baseline::square_f32,
     &kernels::cpu::baseline::square_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::square_i32,
     &kernels::cpu::baseline::square_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::square_f32,
     &kernels::cpu::baseline::square_f64}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     &kernels::cpu::avx2::square_i32,
     &kernels::cpu::avx2::square_i32,
     &kernels::cpu::avx2::square_i32,
     &kernels::cpu::avx2::square_i32,
     &kernels::cpu::avx2::square_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::square_f32,
     &kernels::cpu::avx2::square_f32,
     &kernels::cpu::avx2::square_f32,
     &kernels::cpu::avx2::square_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::square_i32,
     &kernels::cpu::avx2::square_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::square_f32,
     &kernels::cpu::avx2::square_f64}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     &kernels::cpu::avx512::square_i32,
     &kernels::cpu::avx512::square_i32,
     &kernels::cpu::avx512::square_i32,
     &kernels::cpu::avx512::square_i32,
     &kernels::cpu::avx512::square_i64,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::square_f32,
     &kernels::cpu::avx512::square_f32,
     &kernels::cpu::avx512::square_f32,
     &kernels::cpu::avx512::square_f64},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::square_i32,
     &kernels::cpu::avx512::square_i64,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::square_f32,
     &kernels::cpu::avx512::square_f64}};
constinit PointwiseOp op{{"square", "square(Tensor)->Tensor", {&kBaseline, &kAvx2, &kAvx512}}, ComputeRule::kPromote, false, 0, {"input"}, {}};
}  // namespace

OpEntry& square_entry = op.entry;

TensorBase square(const TensorBase& input) {
  return unary(op, input);
}

void square_(const TensorBase& input) {
  unary_inplace(op, input);
}

}  // namespace eagre::dispatch

// ======== kernels/cpu/square.cpp
// Loops of the pointwise kernel 'square'. Generated from ops/unary.yaml:42; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/square.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {
  unary_loop<T>(data, strides, n, [](T a) {
    return scalar::square(a);
  });
}

}  // namespace

void square_i32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int32_t>(data, strides, n, attributes);
}
void square_i64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<int64_t>(data, strides, n, attributes);
}
void square_f32(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<float>(data, strides, n, attributes);
}
void square_f64(char* const* data, const int64_t* strides, int64_t n,
    const void* attributes) {
  run<double>(data, strides, n, attributes);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
