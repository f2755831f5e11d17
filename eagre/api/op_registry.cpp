// The table of custom operators by name.
#include <eagre/api/op_registry.h>

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <eagre/api/custom_op.h>
#include <eagre/base/error.h>
#include <eagre/base/fork.h>

namespace eagre {
namespace {

struct Registry {
  ForkMutex mutex;
  std::map<std::string, OwnedOp, std::less<>> ops;
};
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}
const MadeAtLoad kRegistryAtLoad(registry);

// "a, b": the operators of the namespace of `name`.
std::string neighbours(std::string_view name) {
  const std::string_view space = name.substr(0, name.find("::"));
  std::string text;
  for (const std::string& other : registered_ops()) {
    if (!other.starts_with(concat(space, "::"))) continue;
    text.append(text.empty() ? "" : ", ").append(other);
  }
  return text;
}

}  // namespace

void add_ops(std::vector<OwnedOp> ops) {
  Registry& all = registry();
  std::string taken;
  {
    const std::lock_guard lock(all.mutex);
    for (size_t i = 0; i < ops.size() && taken.empty(); ++i) {
      bool is_taken = all.ops.contains(ops[i]->name);
      for (size_t k = 0; k < i; ++k) is_taken = is_taken || ops[k]->name == ops[i]->name;
      if (is_taken) taken = ops[i]->name;
    }
    if (taken.empty()) {
      for (OwnedOp& op : ops) {
        std::string name = op->name;
        all.ops.emplace(std::move(name), std::move(op));
      }
    }
  }
  EAGRE_CHECK(taken.empty(), kInvalidArgument, "register_op(\"", taken,
              "\"): there is an operator with this name already");
}

const OpRecord* look_up_op(std::string_view name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.ops.find(name);
  return found == all.ops.end() ? nullptr : found->second.get();
}

Op find_op(std::string_view name) {
  if (const OpRecord* record = look_up_op(name)) return Op(*record);
  const std::string known = neighbours(name);
  raise(ErrorKind::kNotFound,
        concat("there is no operator '", name, "'; ",
               known.empty() ? "its library is not loaded" : "there are: ", known));
}

std::vector<std::string> registered_ops() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> names;
  names.reserve(all.ops.size());
  for (const auto& [name, op] : all.ops) names.push_back(name);
  return names;
}

PendingOps*& ops_of_loading_library() {
  static thread_local PendingOps* current = nullptr;
  return current;
}

}  // namespace eagre
