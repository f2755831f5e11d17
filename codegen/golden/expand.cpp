// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/expand.h
// expand: dispatch, and recording of the gradient. Generated from ops/view.yaml:20; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase expand(const TensorBase& input, Dims size, CallSite at);

}  // namespace eagre::ops

// ======== autograd/expand.cpp
// expand: recording. Generated from ops/view.yaml:20; do not edit.
#include <eagre/autograd/ops/expand.h>

#include <eagre/autograd/ops/sum_to_size.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/expand.h>

namespace eagre::ops {
namespace {

class ExpandNode final : public autograd::Node {
 public:
  explicit ExpandNode(uint32_t site) : Node(1, site) {}

  std::string_view name() const override { return "ExpandBackward0"; }
  void apply(autograd::BackwardCall& call) override;

  DimVector input_shape_;
};

void ExpandNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::sum_to_size(g, input_shape_, at));
}

}  // namespace

TensorBase expand(const TensorBase& input, Dims size, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::expand(input, size);
  if (autograd::should_record(input) && is_floating_point(result.dtype())) {
    auto node = IntrusivePtr<ExpandNode>::adopt(new ExpandNode(at.intern()));
    autograd::connect(*node, 0, input);
    node->input_shape_ = input.sizes();
    autograd::Node::give_to(std::move(node), result.get());
  }
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/expand.h
// expand: dispatch to kernels, without recording. Generated from ops/view.yaml:20; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase expand(const TensorBase& input, Dims size);

}  // namespace eagre::dispatch

// ======== dispatch/expand.cpp
// expand: dispatch to kernels. Generated from ops/view.yaml:20; do not edit.
#include <eagre/dispatch/ops/expand.h>

#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch {

TensorBase expand(const TensorBase& input, Dims size) {
  const meta::ViewGeometry view = meta::expand("expand", input.get(), size);
  return TensorBase::adopt(new_view(input.get(), view.sizes, view.strides, view.offset));
}

}  // namespace eagre::dispatch
