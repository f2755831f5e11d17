// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/transpose.h
// transpose: dispatch, and recording of the gradient. Generated from ops/view.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at);
EAGRE_API void transpose_(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at);

}  // namespace eagre::ops

// ======== ops/view_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/transpose.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/transpose.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/view.yaml:3 ----
namespace {
class TransposeNode final : public autograd::Node {
 public:
  TransposeNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "TransposeBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("dim0", dim0_);
    visitor.see("dim1", dim1_);
  }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return;
    const CallSite at = CallSite::of_id(site());
    if (call.wants(0)) call.set(0, ops::transpose(g, dim0_, dim1_, at));
  }
  int64_t dim0_;
  int64_t dim1_;
};

TensorBase transpose_batched(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  Level* const level = TransformedInputs(input).batch_level();
  if (level == nullptr) return dispatch::transpose(input, dim0, dim1);
  const BatchCall call("transpose", level, at);
  TensorBase view = dispatch::transpose(input, dim0, dim1);
  if (input.dim() == 0) return batched_view(view, call.number_as(input, view), *level);
  return batched_view(view, ops::transpose(call.first(input), call.dim(dim0, input),
                                           call.dim(dim1, input), at), *level);
}

void transpose_tangents(const TensorBase& result, const TensorBase& input, int64_t dim0,
                        int64_t dim1, CallSite at) {
  const TransformedInputs arguments(input);
  for_dual_levels(arguments, [&](Level& level) {
    set_tangent(result, level, ops::transpose(own_tangent(input, level, at), dim0, dim1, at));
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase transpose_recorded(const TensorBase& input, int64_t dim0, int64_t dim1,
                                           CallSite at) {
  thread_state.site = at;
  TensorBase result = kTransformed ? transpose_batched(input, dim0, dim1, at) : dispatch::transpose(
      input, dim0, dim1);
  if (autograd::should_record_view(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<TransposeNode>::adopt(new TransposeNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim0_ = dim0;
    node->dim1_ = dim1;
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) transpose_tangents(result, input, dim0, dim1, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase transpose_transformed(const TensorBase& input, int64_t dim0, int64_t dim1,
                                            CallSite at) {
  return transpose_recorded<true>(input, dim0, dim1, at);
}
}  // namespace

TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return transpose_transformed(input, dim0, dim1, at);
  return transpose_recorded<false>(input, dim0, dim1, at);
}

void transpose_(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  thread_state.site = at;
  TensorBase looked;
  if (autograd::are_transformed(input)) looked = ops::transpose(input, dim0, dim1, at);
  IntrusivePtr<TransposeNode> node;
  if (autograd::should_record_view(input)) {
    autograd::check_inplace("transpose_", input);
    node = IntrusivePtr<TransposeNode>::adopt(new TransposeNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim0_ = dim0;
    node->dim1_ = dim1;
  }
  autograd::before_geometry_change("transpose_", input);
  dispatch::transpose_(input, dim0, dim1);
  autograd::note_write(input, "transpose_()", at);
  if (node) {
    autograd::rebase_geometry(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  if (looked.defined()) autograd::share_transform_meta(looked.get(), input.get());
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/transpose.h
// transpose: dispatch to kernels, without recording. Generated from ops/view.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1);
void transpose_(const TensorBase& input, int64_t dim0, int64_t dim1);

}  // namespace eagre::dispatch

// ======== dispatch/view_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/transpose.h>

namespace eagre::dispatch {

// ---- ops/view.yaml:3 ----
TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1) {
  return meta::view_of(input.get(),
                       meta::transpose("transpose", input.get("transpose", "input"), dim0, dim1));
}
void transpose_(const TensorBase& input, int64_t dim0, int64_t dim1) {
  meta::look_at(input.get(),
                meta::transpose("transpose_", input.get("transpose_", "input"), dim0, dim1));
}

}  // namespace eagre::dispatch

// ======== python/view_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/transpose.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/view.yaml:3 ----
namespace {
namespace transpose_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensor},
    {.name = "dim0", .kind = ParameterKind::kInteger},
    {.name = "dim1", .kind = ParameterKind::kInteger},
};
constexpr Signature kFunction{.op = "transpose", .parameters = {kParameters, 3}, .positional = 3};
constexpr Signature kMethod{.op = "transpose", .parameters = {kParameters, 3}, .positional = 3};
constexpr Signature kInplace{.op = "transpose_", .parameters = {kParameters, 3}, .positional = 3};

template <Form kForm>
PyObject* run(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const int64_t dim0 = a.integer(1);
  const int64_t dim1 = a.integer(2);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::transpose(input, dim0, dim1, at); }, input);
  } else {
    return call_inplace_op(a[0], [&](CallSite at) { ops::transpose_(input, dim0, dim1, at); },
                           input);
  }
}
}  // namespace transpose_op
}  // namespace

extern const PyMethodDef view_0_functions[] = {
    op_function<transpose_op::kFunction, transpose_op::run<Form::kNew>>(
        "transpose",
        "transpose(input, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    op_function<transpose_op::kFunction, transpose_op::run<Form::kNew>>(
        "swapaxes",
        "transpose(input, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    op_function<transpose_op::kFunction, transpose_op::run<Form::kNew>>(
        "swapdims",
        "transpose(input, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    {}};

extern const PyMethodDef view_0_methods[] = {
    op_method<transpose_op::kMethod, transpose_op::run<Form::kNew>>(
        "transpose",
        "transpose($self, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    op_method<transpose_op::kMethod, transpose_op::run<Form::kNew>>(
        "swapaxes",
        "transpose($self, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    op_method<transpose_op::kMethod, transpose_op::run<Form::kNew>>(
        "swapdims",
        "transpose($self, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    op_method<transpose_op::kInplace, transpose_op::run<Form::kInplace>>(
        "transpose_",
        "transpose_($self, dim0, dim1)\n--\n\n`transpose()`, written into this tensor: `input` is the tensor itself.\n\nThe tensor with two dimensions swapped, as a view."),
    op_method<transpose_op::kInplace, transpose_op::run<Form::kInplace>>(
        "swapaxes_",
        "transpose_($self, dim0, dim1)\n--\n\n`transpose()`, written into this tensor: `input` is the tensor itself.\n\nThe tensor with two dimensions swapped, as a view."),
    op_method<transpose_op::kInplace, transpose_op::run<Form::kInplace>>(
        "swapdims_",
        "transpose_($self, dim0, dim1)\n--\n\n`transpose()`, written into this tensor: `input` is the tensor itself.\n\nThe tensor with two dimensions swapped, as a view."),
    {}};

}  // namespace eagre::python
