// The threads of accelerators: one per device, made when a backward call first needs it.
#pragma once

#include <cstdint>

#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

// May backward calls of this thread use the threads of devices? Otherwise, all nodes run in the
// caller's thread.
EAGRE_API void set_multithreading_enabled(bool enabled);
EAGRE_API bool is_multithreading_enabled();

// What a thread that goes on with the work of another one takes over.
struct DeviceThreadState {
  bool is_enabled = true;
  // The thread of a device waits for no other such thread: a nested call that it makes stays in it.
  bool is_device_thread = false;

  bool may_use_others() const { return is_enabled && !is_device_thread; }
};
DeviceThreadState& device_thread_state();

// A node that waits for the thread of its device; `run` must not throw.
struct DeviceWork {
  void (*run)(void* context, Node& node);
  void* context;
  Node* node;
  uint32_t depth;  // of nested backward calls
};
// In the order (depth, sequence number). False when the system gives us no thread.
bool post_to_device_thread(Device device, const DeviceWork& work);

}  // namespace eagre::autograd
