// Selection of kernels beyond the two loads: CPU levels, fallback, and errors that help.
#include <eagre/dispatch/registry.h>

#include <mutex>
#include <string>
#include <unordered_map>

#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/fork.h>
#include <eagre/base/warn.h>
#include <eagre/dispatch/trace.h>

namespace eagre::dispatch {
namespace {

constexpr auto kCpu = static_cast<size_t>(DeviceKind::kCpu);

std::atomic<bool> has_fast_paths{true};

ForkMutex& rows_lock() {
  static ForkMutex& instance = *new ForkMutex;
  return instance;
}
const MadeAtLoad kRowsLockAtLoad(rows_lock);

// Calls must pass where they are traced or looked at. Made once per row: readers hold no lock.
const KernelRow* without_fast_paths(const KernelRow& row) {
  static auto& copies = *new std::unordered_map<const KernelRow*, const KernelRow*>;
  std::lock_guard lock(rows_lock());
  const KernelRow*& known = copies[&row];
  if (known == nullptr) {
    auto* copy = new KernelRow(row);
    for (Kernel& kernel : copy->direct) kernel = nullptr;
    known = copy;
  }
  return known;
}

const KernelRow* resolve_cpu(OpEntry& op) {
  const KernelRow* row = op.rows[kCpu].load(std::memory_order_acquire);
  if (row == nullptr) {
    row = static_cast<const KernelRow*>(
        op.cpu_levels[static_cast<size_t>(kernels::cpu::current_level())]);
    if (!has_fast_paths || tracing) row = without_fast_paths(*row);
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
              concat(op.shown, "() has no kernel for ", dtype, " on ", device,
                     " and runs on the CPU; this is slow. Set the flag kernel_fallback to false to "
                     "make it an error."));
    return nullptr;
  }
  raise(ErrorKind::kUnimplemented,
        concat(op.shown, "(): there is no kernel for ", dtype, " on ", device,
               may_fall_back ? ", and the flag kernel_fallback is off" : "",
               ". Kernels of this operator: ", describe_kernels(op)));
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
  std::lock_guard lock(rows_lock());
  auto& slot = op.rows[static_cast<size_t>(kind)];
  const KernelRow* old = slot.load(std::memory_order_acquire);
  // Readers hold no lock: a changed row is a new row, and the old one stays for those who read it.
  auto* row = old == nullptr ? new KernelRow : new KernelRow(*old);
  Kernel& place = row->by_dtype[static_cast<size_t>(dtype)];
  if (place != nullptr) {
    delete row;
    return false;
  }
  place = kernel;
  slot.store(row, std::memory_order_release);
  return true;
}

}  // namespace eagre::dispatch
