// What tests can ask of the pretend device, and which faults they can order.
#pragma once

#include <cstdint>

namespace eagre::sim {

enum class KernelFault : int32_t {
  kNone,
  kRefuses,        // returns a code and a reason at once
  kFailsLater,     // is accepted and fails on the stream
  kFailsSilently,  // returns a code and no reason
};

struct Control {
  // --- counts ---
  int64_t (*live_allocations)(int32_t device);  // -1: of all devices
  int64_t (*live_events)();
  int64_t (*kernel_calls)();
  int64_t (*copies)();
  // Accesses outside live memory of the right device: always a bug in the library.
  int64_t (*bad_accesses)();
  // --- faults; 0 switches them off ---
  void (*fail_allocation)(int64_t nth);  // the nth from now, once
  void (*fail_copy)(int64_t nth);        // the nth from now, once
  void (*fail_kernel)(KernelFault fault);
  void (*fail_nth_kernel)(int64_t nth, KernelFault fault);  // the nth from now, once
  void (*slow_down)(int64_t microseconds);  // work that is put on streams waits this long first
  void (*shut_gate)(bool shut);             // work put on streams meanwhile does not begin
  void (*open_gate)();                      // all of it may begin
  void (*forgive)();                        // streams forget their errors
};

}  // namespace eagre::sim

extern "C" const eagre::sim::Control* sim_control();
