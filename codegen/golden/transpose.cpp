// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/transpose.h
// transpose: dispatch, and recording of the gradient. Generated from ops/view.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at);

}  // namespace eagre::ops

// ======== autograd/transpose.cpp
// transpose: recording. Generated from ops/view.yaml:3; do not edit.
#include <eagre/autograd/ops/transpose.h>

#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/transpose.h>

namespace eagre::ops {
namespace {

class TransposeNode final : public autograd::Node {
 public:
  explicit TransposeNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "TransposeBackward0"; }
  void apply(autograd::BackwardCall& call) override;

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

TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::transpose(input, dim0, dim1);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<TransposeNode>::adopt(new TransposeNode(at.intern()));
    autograd::connect(*node, 0, input);
    node->dim0_ = dim0;
    node->dim1_ = dim1;
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/transpose.h
// transpose: dispatch to kernels, without recording. Generated from ops/view.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1);

}  // namespace eagre::dispatch

// ======== dispatch/transpose.cpp
// transpose: dispatch to kernels. Generated from ops/view.yaml:3; do not edit.
#include <eagre/dispatch/ops/transpose.h>

#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch {

TensorBase transpose(const TensorBase& input, int64_t dim0, int64_t dim1) {
  const meta::ViewGeometry view = meta::transpose("transpose", input.get(), dim0, dim1);
  return TensorBase::adopt(new_view(input.get(), view.sizes, view.strides, view.offset));
}

}  // namespace eagre::dispatch
