// The threads of accelerators: one per device, made when a backward call first needs it.
#pragma once

#include <cstdint>

#include <eagre/autograd/node.h>

namespace eagre::autograd {

class DeviceRun;

// May backward calls of this thread use the threads of devices? Otherwise, all nodes run in the
// caller's thread.
EAGRE_API void set_multithreading_enabled(bool enabled);
EAGRE_API bool is_multithreading_enabled();

// What a thread that goes on with the work of another one takes over.
struct LaneState {
  bool is_enabled = true;
  // The thread of a device waits for no other such thread: a nested call that it makes stays in it.
  bool is_lane = false;

  bool may_use_lanes() const { return is_enabled && !is_lane; }
};
LaneState& lane_state();

// Nodes wait for the device's thread in the order (depth of nesting, sequence number). False when
// the system gives us no thread.
bool post_to_lane(Device device, DeviceRun& run, Node& node, uint32_t depth);

}  // namespace eagre::autograd
