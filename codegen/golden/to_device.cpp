// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/to_device.h
// to_device: dispatch, and recording of the gradient. Generated from ops/copy.yaml:68; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase to_device(const TensorBase& input, Device device, CallSite at);

}  // namespace eagre::ops

// ======== ops/copy_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/to_device.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/to_device.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/copy.yaml:68 ----
namespace {
class ToDeviceNode final : public autograd::Node {
 public:
  ToDeviceNode(uint16_t inputs, uint32_t site) : Node(inputs, site) {}
  std::string name() const override { return "ToDeviceBackward0"; }
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("self_device", input_device_);
  }
  void apply(autograd::BackwardCall& call) override {
    TensorBase& g = call.grad(0);
    if (!g.defined()) return;
    const CallSite at = CallSite::of_id(site());
    if (call.wants(0)) call.set(0, ops::to_device(g, input_device_, at));
  }
  Device input_device_;
};

TensorBase to_device_batched(const TensorBase& input, Device device, CallSite at) {
  Level* const level = TransformedInputs(input).batch_level();
  if (level == nullptr) return dispatch::to_device(input, device);
  const BatchCall call("to_device", level, at);
  return call.result(ops::to_device(call.first(input), device, at));
}

void to_device_tangents(const TensorBase& result, const TensorBase& input, Device device,
                        CallSite at) {
  const TransformedInputs arguments(input);
  for_dual_levels(arguments, [&](Level& level) {
    give_tangent(result, arguments, level, ops::to_device(tangent_of(input, level), device, at),
                 at);
  });
}

template <bool kTransformed>
EAGRE_INLINE TensorBase to_device_recorded(const TensorBase& input, Device device, CallSite at) {
  thread_state.site = at;
  TensorBase result =
      kTransformed ? to_device_batched(input, device, at) : dispatch::to_device(input, device);
  if (autograd::should_record(input) && is_differentiable(result.impl()->key.dtype)) {
    auto node = IntrusivePtr<ToDeviceNode>::adopt(new ToDeviceNode(1, at.intern()));
    autograd::connect(*node, 0, input);
    node->input_device_ = input.device();
    autograd::Node::set_history_of_new(std::move(node), *result.impl());
  }
  if constexpr (kTransformed) to_device_tangents(result, input, device, at);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase to_device_transformed(const TensorBase& input, Device device, CallSite at) {
  return to_device_recorded<true>(input, device, at);
}
}  // namespace

TensorBase to_device(const TensorBase& input, Device device, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return to_device_transformed(input, device, at);
  return to_device_recorded<false>(input, device, at);
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/to_device.h
// to_device: dispatch to kernels, without recording. Generated from ops/copy.yaml:68; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase to_device(const TensorBase& input, Device device);

}  // namespace eagre::dispatch

// ======== dispatch/copy_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/ops/to_device.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::dispatch {

// ---- ops/copy.yaml:68 ----
// Always a new tensor: recording gives the result a history.
TensorBase to_device(const TensorBase& input, Device device) {
  TensorBase moved = on_device(input, device);
  return moved.is_same(input) ? copy_of(moved) : moved;
}

}  // namespace eagre::dispatch
