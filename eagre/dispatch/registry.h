// Which kernels an operator has: one constant-initialised entry per operator, indexed by device
// kind and dtype, so that selecting a kernel is two loads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include <eagre/base/export.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/kernels/cpu/levels.h>

namespace eagre::dispatch {

// A kernel of any signature; the generated entry of the operator knows the real one. On devices of
// plug-ins it is an EagreKernel.
using Kernel = void (*)();

struct KernelRow {
  Kernel by_dtype[kDTypeCount] = {};
  // The same where the kernel takes the dtype as it is, without conversion on the way (CPU).
  Kernel direct[kDTypeCount] = {};
};

// The same row with its real type, as generated code writes it: a constant without initialisation
// at run time, which a cast of the pointers would need.
template <class Function>
struct TypedRow {
  Function* by_dtype[kDTypeCount] = {};
  Function* direct[kDTypeCount] = {};
};

struct OpEntry {
  const char* name;
  const char* signature;  // as plug-ins spell it, see device_plugin.h
  const char* shown;      // the user's name for it, for messages
  // The CPU's TypedRows by instruction-set level; an operator without levels names one three times.
  const void* cpu_levels[kernels::cpu::kLevelCount];
  // Filled when first asked (CPU) or when a plug-in registers kernels.
  std::atomic<const KernelRow*> rows[kMaxDeviceKinds] = {};
};

template <class Function>
constexpr Kernel erase(Function function) {
  return reinterpret_cast<Kernel>(function);
}

// The kernel for (device kind, dtype), or null. The hot half of selection.
inline Kernel find_kernel(const OpEntry& op, DeviceKind kind, DType dtype) {
  const KernelRow* row = op.rows[static_cast<size_t>(kind)].load(std::memory_order_acquire);
  return row == nullptr ? nullptr : row->by_dtype[static_cast<size_t>(dtype)];
}

// The CPU's kernel for tensors of `dtype` as they are, or null.
inline Kernel find_direct_cpu_kernel(const OpEntry& op, DType dtype) {
  const KernelRow* row =
      op.rows[static_cast<size_t>(DeviceKind::kCpu)].load(std::memory_order_acquire);
  return row == nullptr ? nullptr : row->direct[static_cast<size_t>(dtype)];
}

// The kernel for (device, dtype). Null means: run on the CPU instead, which was warned about once;
// or nothing to run, on `meta`, which takes the dtypes that the CPU takes. An error that lists what
// exists when there is no such kernel and no fallback.
EAGRE_API Kernel select_kernel(OpEntry& op, Device device, DType dtype);

// All operators, in the order of the records (generated).
struct OpTable {
  OpEntry* const* entries;
  size_t count;
};
EAGRE_API OpTable all_ops();
EAGRE_API OpEntry* find_op(std::string_view name);

// While off, calls take no way that leads past trace() and check_values(). For the whole process;
// calls that are under way may still take one.
void set_fast_paths(bool on);

// Adds a plug-in's kernel. False when there is one already.
EAGRE_API bool add_kernel(OpEntry& op, DeviceKind kind, DType dtype, Kernel kernel);

}  // namespace eagre::dispatch
