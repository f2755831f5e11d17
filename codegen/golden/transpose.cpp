// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/transpose.h
// transpose: dispatch, and recording of the gradient. Generated from ops/view.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at);
EAGRE_API void transpose_(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at);

}  // namespace eagre::ops

// ======== autograd/view_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/transpose.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/transpose.h>
#include <eagre/dispatch/ops/transpose.h>

// ---- ops/view.yaml:3 ----
namespace eagre::ops {

namespace {

class TransposeNode final : public autograd::Node {
 public:
  TransposeNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "TransposeBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("dim0", dim0_);
    visitor.see("dim1", dim1_);
  }

  int64_t dim0_;
  int64_t dim1_;
};

void TransposeNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::transpose(g, dim0_, dim1_, at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase transpose_transformed(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::transpose(input, dim0, dim1, at);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<TransposeNode>::adopt(new TransposeNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim0_ = dim0;
    node->dim1_ = dim1;
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::transpose(result, input, dim0, dim1, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase transpose_plainly(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::transpose(input, dim0, dim1);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<TransposeNode>::adopt(new TransposeNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim0_ = dim0;
    node->dim1_ = dim1;
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return transpose_transformed(input, dim0, dim1, at);
  return transpose_plainly(input, dim0, dim1, at);
}

void transpose_(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  thread_state.site = at;
  TensorBase looked;
  if (autograd::are_transformed(input)) looked = ops::transpose(input, dim0, dim1, at);
  IntrusivePtr<TransposeNode> node;
  if (autograd::should_record(input)) {
    autograd::check_inplace("transpose_", input);
    node = IntrusivePtr<TransposeNode>::adopt(new TransposeNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->dim0_ = dim0;
    node->dim1_ = dim1;
  }
  autograd::before_look_changes(input);
  dispatch::transpose_(input, dim0, dim1);
  autograd::note_write(input, "transpose_()", at);
  if (node) {
    autograd::rebase_look(IntrusivePtr<autograd::Node>::share(node.get()), input.get());
  }
  if (looked.defined()) autograd::share_carried(looked.get(), input.get());
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

// ---- ops/view.yaml:3 ----
namespace eagre::dispatch {

TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1) {
  return meta::view_of(input.get(), meta::transpose("transpose", input.get("transpose", "input"), dim0, dim1));
}

void transpose_(const TensorBase& input, int64_t dim0, int64_t dim1) {
  meta::look_at(input.get(), meta::transpose("transpose_", input.get("transpose_", "input"), dim0, dim1));
}

}  // namespace eagre::dispatch

// ======== python/view_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/transpose.h>

#include "op_call.h"

// ---- ops/view.yaml:3 ----
namespace eagre::python {
namespace {

namespace transpose_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"dim0", nullptr, true, ParameterKind::kInteger, false},
    {"dim1", nullptr, true, ParameterKind::kInteger, false},
};

constexpr Signature kFunction{"transpose", {kParameters, 3}, 3, -1};
constexpr Signature kMethod{"transpose", {kParameters, 3}, 3, -1};
constexpr Signature kInplace{"transpose_", {kParameters, 3}, 3, -1};

PyObject* run(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const int64_t dim0 = a.integer(1);
  const int64_t dim1 = a.integer(2);
  return call_op([&](CallSite at) { return ops::transpose(input, dim0, dim1, at); }, input);
}

PyObject* run_inplace(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const int64_t dim0 = a.integer(1);
  const int64_t dim1 = a.integer(2);
  return call_inplace_op(
      a[0], [&](CallSite at) { ops::transpose_(input, dim0, dim1, at); }, input);
}

}  // namespace transpose_op

}  // namespace

PyObject* transpose_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("transpose", args, count, names);
  return guarded([&] { return transpose_op::run(Arguments(transpose_op::kFunction, nullptr, args, count, names)); });
}

PyObject* transpose_method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("transpose", self, args, count, names);
  return guarded([&] { return transpose_op::run(Arguments(transpose_op::kMethod, self, args, count, names)); });
}

PyObject* transpose_inplace(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("transpose_", self, args, count, names);
  return guarded([&] { return transpose_op::run_inplace(Arguments(transpose_op::kInplace, self, args, count, names)); });
}

}  // namespace eagre::python
