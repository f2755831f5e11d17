// Where the trace goes: the standard error stream, which the user asked for.
#include <eagre/dispatch/trace.h>

#include <cstdio>
#include <string>

#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/dispatch/registry.h>
#include <eagre/kernels/cpu/isa.h>

namespace eagre::dispatch {

void write_trace(const OpEntry& op, Device device, DType compute) {
  std::string line = "eagre: ";
  line.append(size_t{2} * thread_state.backward_depth, ' ');
  line += concat(op.name, " (", device, ", strided, ", compute, ") → ");
  if (find_kernel(op, device.kind, compute) == nullptr) {
    line += "cpu, fallback\n";
  } else if (device.is_cpu()) {
    line += concat("cpu, ", kernels::cpu::to_string(kernels::cpu::current_isa()), "\n");
  } else {
    line += concat("plug-in '", to_string(device.kind), "'\n");
  }
  std::fputs(line.c_str(), stderr);
}

}  // namespace eagre::dispatch
