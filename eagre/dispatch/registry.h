// Which kernels an operator has: one constant-initialised entry per operator, indexed by device
// kind and dtype, so that selecting a kernel is two loads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include <eagre/base/export.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/dtype_set.h>
#include <eagre/kernels/cpu/isa.h>
#include <eagre/kernels/cpu/kernel_table.h>

namespace eagre::kernels::cpu {
namespace baseline {}
namespace avx2 {}
namespace avx512 {}
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {

// Entries name their kernels by isa.
namespace baseline = kernels::cpu::baseline;
namespace avx2 = kernels::cpu::avx2;
namespace avx512 = kernels::cpu::avx512;

// A kernel of any signature; the generated entry of the operator knows the real one. On devices of
// plug-ins it is an EagreKernel.
using Kernel = void (*)();

struct KernelRow {
  Kernel by_dtype[kDTypeCount] = {};
  // The same where the kernel takes the dtype as it is, without conversion on the way (CPU).
  Kernel direct[kDTypeCount] = {};
};

// The tables of an operator's CPU kernels by instruction sets: the same kernels at each, or
// one table for all.
class CpuKernels {
 public:
  template <class Function>
  using Table = kernels::cpu::KernelTable<Function>;

  constexpr CpuKernels() = default;
  template <class Function>
  constexpr CpuKernels(const Table<Function>& baseline, const Table<Function>& avx2,
                       const Table<Function>& avx512)
      : isas_{&baseline, &avx2, &avx512, &avx512} {}
  template <class Function>
  constexpr CpuKernels(const Table<Function>& baseline)  // NOLINT: it stands for every isa
      : isas_{&baseline, &baseline, &baseline, &baseline} {}

  const Table<void()>& at(kernels::cpu::Isa isa) const {
    return *static_cast<const Table<void()>*>(isas_[static_cast<size_t>(isa)]);
  }

 private:
  const void* isas_[kernels::cpu::kIsaCount] = {};
};

struct OpEntry {
  const char* name;
  const char* signature;    // as plug-ins spell it, see device_plugin.h
  const char* public_name;  // the user's name for it, for messages
  DTypeSet dtypes = {};     // that it takes
  DTypeSet native = {};     // those that the CPU has kernels for, and not for a wider one
  CpuKernels cpu = {};
  const char* no_bools = nullptr;  // what to say of a bool tensor, where there is more to say
  // Filled when first asked (CPU) or when a plug-in registers kernels.
  std::atomic<const KernelRow*> rows[kMaxDeviceKinds] = {};
};

// The kernel as a function of the type that the operator's tables have.
template <class Function>
Function* as_in(const kernels::cpu::KernelTable<Function>&, Kernel kernel) {
  return reinterpret_cast<Function*>(kernel);
}

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

// EAGRE_TRACE_DISPATCH, see trace.h.
EAGRE_API extern std::atomic<bool> tracing;

// While off, calls take no way that leads past trace() and check_values(). For the whole process;
// calls that are under way may still take one.
void set_fast_paths(bool on);

// Adds a plug-in's kernel. False when there is one already.
EAGRE_API bool add_kernel(OpEntry& op, DeviceKind kind, DType dtype, Kernel kernel);

}  // namespace eagre::dispatch
