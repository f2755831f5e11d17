// The pretend device's kernels, and the faults that can be ordered for them.
#pragma once

#include <cstdint>

#include <eagre/dispatch/device_plugin.h>

#include "sim_control.h"

namespace eagre::sim {

int64_t kernel_calls();
// Every kernel from now on, or only the nth from now.
void set_kernel_fault(KernelFault fault);
void set_nth_kernel_fault(int64_t nth, KernelFault fault);

// Offers the kernels; 0 when all were taken.
int32_t register_kernels(const EagreHost* host);

}  // namespace eagre::sim
