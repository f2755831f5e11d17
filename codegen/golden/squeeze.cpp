// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/squeeze.h
// squeeze: dispatch, and recording of the gradient. Generated from ops/view.yaml:53; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase squeeze(const TensorBase& input, int64_t dim, CallSite at);

}  // namespace eagre::ops

// ======== autograd/squeeze.cpp
// squeeze: recording. Generated from ops/view.yaml:53; do not edit.
#include <eagre/autograd/ops/squeeze.h>

#include <eagre/autograd/ops/unsqueeze_like.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/squeeze.h>

namespace eagre::ops {
namespace {

class SqueezeNode final : public autograd::Node {
 public:
  explicit SqueezeNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "SqueezeBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  int64_t dim_;
  DimVector input_shape_;
};

void SqueezeNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::unsqueeze_like(g, input_shape_, dim_, at));
}

}  // namespace

TensorBase squeeze(const TensorBase& input, int64_t dim, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::squeeze(input, dim);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<SqueezeNode>::adopt(new SqueezeNode(at.intern()));
    autograd::connect(*node, 0, input);
    node->dim_ = dim;
    node->input_shape_ = input.sizes();
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/squeeze.h
// squeeze: dispatch to kernels, without recording. Generated from ops/view.yaml:53; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase squeeze(const TensorBase& input, int64_t dim);

}  // namespace eagre::dispatch

// ======== dispatch/squeeze.cpp
// squeeze: dispatch to kernels. Generated from ops/view.yaml:53; do not edit.
#include <eagre/dispatch/ops/squeeze.h>

#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch {

TensorBase squeeze(const TensorBase& input, int64_t dim) {
  const meta::ViewGeometry view = meta::squeeze("squeeze", input.get(), dim);
  return TensorBase::adopt(new_view(input.get(), view.sizes, view.strides, view.offset));
}

}  // namespace eagre::dispatch
