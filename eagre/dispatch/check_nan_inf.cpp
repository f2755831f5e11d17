// The search for NaN and infinities, by operators that are not searched themselves.
#include <eagre/dispatch/check_nan_inf.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/ops/all.h>
#include <eagre/dispatch/ops/any.h>
#include <eagre/dispatch/ops/isfinite.h>
#include <eagre/dispatch/ops/isnan.h>
#include <eagre/dispatch/registry.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::dispatch {
namespace {

bool can_be_bad(const TensorBase& tensor) {
  return is_differentiable(tensor.dtype()) && !tensor.device().is_meta() && tensor.numel() != 0;
}

constinit thread_local bool is_looking = false;

class Looking {
 public:
  Looking() : outer_(std::exchange(is_looking, true)) {}
  ~Looking() { is_looking = outer_; }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

 private:
  bool outer_;
};

// The first name in "one, two" that `f` is true of; none is empty.
template <class F>
std::string_view find_listed(std::string_view list, const F& f) {
  while (!list.empty()) {
    const size_t end = list.find(',');
    std::string_view entry = list.substr(0, end);
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    if (!entry.empty() && f(entry)) return entry;
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return {};
}

bool is_listed(std::string_view name, std::string_view list) {
  return !find_listed(list, [&](std::string_view entry) { return entry == name; }).empty();
}

bool is_operator(std::string_view name) {
  const OpTable table = all_ops();
  return std::any_of(table.entries, table.entries + table.count, [&](const OpEntry* op) {
    return name == op->name || name == op->public_name;
  });
}

void check_names(std::string_view list) {
  if (list == "auto") return;
  const auto is_unknown = [](std::string_view name) { return !is_operator(name); };
  const std::string_view unknown = find_listed(list, is_unknown);
  EAGRE_CHECK(unknown.empty(), kInvalidArgument,
              "set_flags(): flags 'check_nan_inf_ops' and 'check_nan_inf_skip' list names of "
              "operators, but there is no operator '",
              unknown, "' that has a kernel");
}
[[maybe_unused]] const bool kChecksNames = [] {
  check_text_flag("check_nan_inf_ops", &check_names);
  check_text_flag("check_nan_inf_skip", &check_names);
  return true;
}();

bool is_asked_for(const OpEntry& op) {
  const auto lists = [&](const TextFlag& flag) {
    return is_listed(op.name, flag.get()) || is_listed(op.public_name, flag.get());
  };
  const std::string& only = flags().check_nan_inf_ops.get();
  return (only.empty() || only == "auto" || lists(flags().check_nan_inf_ops)) &&
         !lists(flags().check_nan_inf_skip);
}

// Memory that nothing was written to yet may hold anything.
bool makes_no_values(const OpEntry& op) { return std::string_view(op.name).starts_with("empty"); }

void follow() {
  const bool on = flags().check_nan_inf;
  checking_values = on;
  set_fast_paths(!on);
}
[[maybe_unused]] const bool kFollows = (follow_flags(&follow), true);

bool value_of(const TensorBase& flag) {
  const TensorBase here = on_device(flag, Device());
  return *reinterpret_cast<const bool*>(here.get().data(1));
}

}  // namespace

std::atomic<bool> checking_values{false};

void look_at_values(const OpEntry& op, TensorImpl& result) {
  if (is_looking || makes_no_values(op) || !is_asked_for(op)) return;
  if (!has_nan_or_inf(TensorBase::share(&result))) return;
  const bool nan = has_nan(TensorBase::share(&result));
  const std::string text = concat(op.public_name, "(): the result, ", result.key.dtype,
                                  " of shape ", result.sizes(), " on ", result.key.device, ", has ",
                                  nan ? "NaN" : "infinite", " values (flag check_nan_inf)");
  if (flags().check_nan_inf_level.index() != 0) return warn(text);
  raise(ErrorKind::kInvalidArgument, text);
}

bool has_nan(const TensorBase& tensor) {
  const Looking looking;
  return can_be_bad(tensor) && value_of(any(isnan(on_device(tensor, Device())), {}, false));
}

bool has_nan_or_inf(const TensorBase& tensor) {
  const Looking looking;
  return can_be_bad(tensor) && !value_of(all(isfinite(on_device(tensor, Device())), {}, false));
}

}  // namespace eagre::dispatch
