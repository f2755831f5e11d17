// EAGRE_TRACE_DISPATCH=1: a line for every operator that reaches a kernel, nested as they call each
// other, with its key and where the kernel came from.
#pragma once

#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

EAGRE_COLD void write_trace(const OpEntry& op, Device device, DType compute);

// Fast paths do not come here: while tracing is on they find no direct kernels, see registry.cpp.
inline void trace(const OpEntry& op, Device device, DType compute) {
  if (tracing.load(std::memory_order_relaxed)) [[unlikely]]
    write_trace(op, device, compute);
}

}  // namespace eagre::dispatch
