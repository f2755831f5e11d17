// Selection of kernels beyond the two loads: rows of the CPU, fallback, and errors that help.
#include <eagre/dispatch/registry.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/fork.h>
#include <eagre/base/warn.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/kernels/cpu/isa.h>

namespace eagre::dispatch {
namespace {

bool wanted() {
  const char* text = std::getenv("EAGRE_TRACE_DISPATCH");
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

}  // namespace

std::atomic<bool> tracing{wanted()};

namespace {

constexpr auto kCpu = static_cast<size_t>(DeviceKind::kCpu);

std::atomic<bool> has_fast_paths{true};

// Rows that were made, with fast paths and without. The lock also guards what plug-ins add.
struct Rows {
  ForkMutex mutex;
  std::unordered_map<const OpEntry*, std::array<const KernelRow*, 2>> of_cpu;
};
Rows& rows() {
  static Rows& instance = *new Rows;
  return instance;
}
// With the instruction set, which rows depend on: a child of fork() must not find half of either.
const MadeAtLoad kRowsAtLoad([] {
  rows();
  kernels::cpu::current_isa();
});

// The CPU's row: every dtype with the kernel of the one it is computed in.
KernelRow cpu_row(const OpEntry& op, bool fast_paths) {
  KernelRow row;
  const auto& kernels = op.cpu.at(kernels::cpu::current_isa());
  for (size_t d = 0; d < kDTypeCount; ++d) {
    const auto dtype = static_cast<DType>(d);
    if (!op.dtypes.contains(dtype)) continue;
    const DType inner = op.native.contains(dtype) ? dtype : cpu_compute_dtype(dtype);
    row.by_dtype[d] = kernels.by_dtype[static_cast<size_t>(inner)];
    if (fast_paths && inner == dtype) row.direct[d] = row.by_dtype[d];
  }
  return row;
}

// Made once: readers hold no lock.
const KernelRow* known_cpu_row(const OpEntry& op, bool fast_paths) {
  std::lock_guard lock(rows().mutex);
  const KernelRow*& known = rows().of_cpu[&op][fast_paths ? 1 : 0];
  if (known == nullptr) known = new KernelRow(cpu_row(op, fast_paths));
  return known;
}

const KernelRow* resolve_cpu(OpEntry& op) {
  const KernelRow* row = op.rows[kCpu].load(std::memory_order_acquire);
  if (row == nullptr) {
    // Calls must pass where they are traced or looked at.
    row = known_cpu_row(op, has_fast_paths && !tracing);
    op.rows[kCpu].store(row, std::memory_order_release);
  }
  return row;
}

// "cpu (float32, float64); sim (float32)"
std::string describe_kernels(const OpEntry& op) {
  std::string text;
  for (size_t kind = 0; kind < kMaxDeviceKinds; ++kind) {
    const KernelRow* row = op.rows[kind].load(std::memory_order_acquire);
    if (row == nullptr) continue;
    std::string dtypes;
    for (size_t d = 0; d < kDTypeCount; ++d) {
      if (row->by_dtype[d] == nullptr) continue;
      dtypes.append(dtypes.empty() ? "" : ", ").append(to_string(static_cast<DType>(d)));
    }
    text.append(text.empty() ? "" : "; ").append(to_string(static_cast<DeviceKind>(kind)));
    text.append(" (").append(dtypes).append(")");
  }
  return text.empty() ? "none" : text;
}

}  // namespace

Kernel select_kernel(OpEntry& op, Device device, DType dtype) {
  const KernelRow* cpu = resolve_cpu(op);
  if (Kernel kernel = find_kernel(op, device.kind, dtype)) return kernel;
  const bool cpu_has_it = cpu != nullptr && cpu->by_dtype[static_cast<size_t>(dtype)] != nullptr;
  if (device.is_meta() && cpu_has_it) return nullptr;
  const bool may_fall_back = !device.is_cpu() && cpu_has_it;
  if (may_fall_back && flags().kernel_fallback) {
    warn_once(concat("fallback:", op.name, ":", to_string(device.kind)),
              concat(op.public_name, "() has no kernel for ", dtype, " on ", device,
                     " and runs on the CPU; this is slow. Set the flag kernel_fallback to false to "
                     "make it an error."));
    return nullptr;
  }
  EAGRE_CHECK(dtype != kBool || op.no_bools == nullptr, kUnimplemented, op.public_name,
              "(): ", op.no_bools);
  const bool floats_would_do = !is_differentiable(dtype) && cpu != nullptr &&
                               cpu->by_dtype[static_cast<size_t>(kFloat32)] != nullptr &&
                               category(dtype) != DTypeCategory::kFloating;
  raise(ErrorKind::kUnimplemented,
        concat(op.public_name, "(): not implemented for ", dtype, " on ", device,
               may_fall_back ? ", and the flag kernel_fallback is off" : "",
               ". Kernels of this operator: ", describe_kernels(op),
               floats_would_do ? ". Hint: it computes with floating point numbers; x.float() "
                                 "converts a tensor, in C++ x.to(kFloat32)"
                               : ""));
}

void set_fast_paths(bool on) {
  if (has_fast_paths.exchange(on) == on) return;
  const OpTable table = all_ops();
  for (size_t i = 0; i < table.count; ++i) table.entries[i]->rows[kCpu].store(nullptr);
}

OpEntry* find_op(std::string_view name) {
  const OpTable table = all_ops();
  for (size_t i = 0; i < table.count; ++i) {
    if (name == table.entries[i]->name) return table.entries[i];
  }
  return nullptr;
}

bool add_kernel(OpEntry& op, DeviceKind kind, DType dtype, Kernel kernel) {
  std::lock_guard lock(rows().mutex);
  auto& entry = op.rows[static_cast<size_t>(kind)];
  const KernelRow* old = entry.load(std::memory_order_acquire);
  // Readers hold no lock: a changed row is a new row, and the old one stays for those who read it.
  auto* row = old == nullptr ? new KernelRow : new KernelRow(*old);
  Kernel& place = row->by_dtype[static_cast<size_t>(dtype)];
  if (place != nullptr) {
    delete row;
    return false;
  }
  place = kernel;
  entry.store(row, std::memory_order_release);
  return true;
}

}  // namespace eagre::dispatch
