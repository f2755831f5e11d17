// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/to_device.h
// to_device: dispatch, and recording of the gradient. Generated from ops/view.yaml:81; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase to_device(const TensorBase& input, Device device, CallSite at);

}  // namespace eagre::ops

// ======== autograd/view_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/to_device.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/to_device.h>
#include <eagre/dispatch/ops/to_device.h>

// ---- ops/view.yaml:81 ----
namespace eagre::ops {

namespace {

class ToDeviceNode final : public autograd::Node {
 public:
  ToDeviceNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}

  std::string_view name() const override { return "ToDeviceBackward0"; }
  void apply(autograd::BackwardCall& call) override;
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("self_device", input_device_);
  }

  Device input_device_;
};

void ToDeviceNode::apply(autograd::BackwardCall& call) {
  TensorBase& g = call.grad(0);
  if (!g.defined()) {
    return;
  }
  const CallSite at = CallSite::of_id(site());
  if (call.wants(0)) call.set(0, ops::to_device(g, input_device_, at));
}

}  // namespace

namespace {
EAGRE_COLD TensorBase to_device_transformed(const TensorBase& input, Device device, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::to_device(input, device, at);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<ToDeviceNode>::adopt(new ToDeviceNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->input_device_ = input.device();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  autograd::jvp::to_device(result, input, device, at);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase to_device_plainly(const TensorBase& input, Device device, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::to_device(input, device);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<ToDeviceNode>::adopt(new ToDeviceNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->input_device_ = input.device();
    autograd::Node::give_to_new(std::move(node), *result.impl());
  }
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase to_device(const TensorBase& input, Device device, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return to_device_transformed(input, device, at);
  return to_device_plainly(input, device, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/to_device.h
// to_device: dispatch to kernels, without recording. Generated from ops/view.yaml:81; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase to_device(const TensorBase& input, Device device);

}  // namespace eagre::dispatch

// ======== dispatch/view_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/to_device.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/transfer.h>

// ---- ops/view.yaml:81 ----
namespace eagre::dispatch {

// Always a new tensor: recording gives the result a history.
TensorBase to_device(const TensorBase& input, Device device) {
  TensorBase moved = on_device(input, device);
  return moved.is_same(input) ? copy_of(moved) : moved;
}

}  // namespace eagre::dispatch
