// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/unsqueeze.h
// unsqueeze: dispatch, and recording of the gradient. Generated from ops/view.yaml:37; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase unsqueeze(const TensorBase& input, int64_t dim, CallSite at);

}  // namespace eagre::ops

// ======== autograd/unsqueeze.cpp
// unsqueeze: recording. Generated from ops/view.yaml:37; do not edit.
#include <eagre/autograd/ops/unsqueeze.h>

#include <eagre/autograd/ops/squeeze.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

class UnsqueezeNode final : public autograd::Node {
 public:
  explicit UnsqueezeNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "UnsqueezeBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  int64_t dim_;
};

void UnsqueezeNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::squeeze(g, dim_, at));
}

}  // namespace

TensorBase unsqueeze(const TensorBase& input, int64_t dim, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::unsqueeze(input, dim);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<UnsqueezeNode>::adopt(new UnsqueezeNode(at.intern()));
    autograd::connect(*node, 0, input);
    node->dim_ = dim;
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/unsqueeze.h
// unsqueeze: dispatch to kernels, without recording. Generated from ops/view.yaml:37; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase unsqueeze(const TensorBase& input, int64_t dim);

}  // namespace eagre::dispatch

// ======== dispatch/unsqueeze.cpp
// unsqueeze: dispatch to kernels. Generated from ops/view.yaml:37; do not edit.
#include <eagre/dispatch/ops/unsqueeze.h>

#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch {

TensorBase unsqueeze(const TensorBase& input, int64_t dim) {
  const meta::ViewGeometry view = meta::unsqueeze("unsqueeze", input.get(), dim);
  return TensorBase::adopt(new_view(input.get(), view.sizes, view.strides, view.offset));
}

}  // namespace eagre::dispatch
