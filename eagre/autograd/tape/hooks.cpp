// Running hooks and checking what they return.
#include <eagre/autograd/tape/hooks.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/base/span.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::autograd {
namespace {

// One for all tables: few nodes have hooks, and a lock per table would not survive fork().
ForkMutex& hooks_lock() {
  static ForkMutex& instance = *new ForkMutex;
  return instance;
}
const MadeAtLoad kHooksLockAtLoad(hooks_lock);

// `place`: whose gradient it is.
void check_replacement(const Hook& hook, const std::string& place, const TensorBase& before,
                       const TensorBase& after) {
  const TensorImpl& a = before.get();
  const TensorImpl& b = after.get();
  const auto check = [&](bool fits, const char* what, const auto& was, const auto& got) {
    EAGRE_CHECK(fits, kAutograd, hook.name(), " has changed the ", what, " of value: it returned ",
                got, " for the gradient ", place, ", which is ", was,
                ". Hint: return the same kind of tensor, or nothing");
  };
  check(a.sizes() == b.sizes(), "size", a.sizes(), b.sizes());
  check(a.key.dtype == b.key.dtype, "type", a.key.dtype, b.key.dtype);
  check(a.key.device == b.key.device, "device", a.key.device, b.key.device);
}

// A gradient that nobody has computed stays so: what is behind it may count on it.
void check_defined(const Hook& hook, const std::string& place, const TensorBase& before) {
  EAGRE_CHECK(before.defined(), kAutograd, hook.name(),
              " can't replace a None gradient with a non-None value: the gradient ", place,
              " is undefined. Hint: return nothing where nothing came");
}

void replace_all(const Hook& hook, const std::string& place, GradientList& before,
                 GradientList after) {
  EAGRE_CHECK(after.size() == before.size(), kAutograd, hook.name(),
              " has returned an incorrect number of values (got ", after.size(), ", but expected ",
              before.size(), ") for the gradients ", place);
  for (size_t i = 0; i < before.size(); ++i) {
    if (!after[i].defined()) continue;
    check_defined(hook, concat("number ", i, " of those ", place), before[i]);
    check_replacement(hook, place, before[i], after[i]);
  }
  before = std::move(after);
}

void run_kind(Node& node, HookTable& hooks, HookKind kind, Span<TensorBase> gradients) {
  const auto list = hooks.list(kind);
  if (list == nullptr) return;
  for (const auto& registered : *list) {
    TensorBase& gradient = gradients[registered.slot];
    if (!gradient.defined() && kind == HookKind::kRetain) continue;
    auto& hook = static_cast<TensorHook&>(*registered.hook);
    TensorBase replacement = hook.call(gradient);
    if (!replacement.defined()) continue;
    const std::string place = concat("that enters ", node.name());
    check_defined(hook, place, gradient);
    check_replacement(hook, place, gradient, replacement);
    gradient = std::move(replacement);
  }
}

}  // namespace

uint64_t HookTable::add(HookKind kind, uint16_t slot, std::shared_ptr<Hook> hook) {
  const std::lock_guard lock(hooks_lock());
  auto& list = lists_[static_cast<size_t>(kind)];
  auto next = list == nullptr ? std::make_shared<List>() : std::make_shared<List>(*list);
  next->push_back({next_id_, slot, std::move(hook)});
  list = std::move(next);
  return next_id_++;
}

bool HookTable::remove(uint64_t id) {
  std::shared_ptr<const List> old;  // dies after the lock: its end may run user code
  const std::lock_guard lock(hooks_lock());
  for (auto& list : lists_) {
    if (list == nullptr) continue;
    auto next = std::make_shared<List>();
    for (const Registered& registered : *list) {
      if (registered.id != id) next->push_back(registered);
    }
    if (next->size() == list->size()) continue;
    old = std::exchange(list, next->empty() ? nullptr : std::move(next));
    return true;
  }
  return false;
}

void HookTable::remove_all() {
  std::shared_ptr<const List> old[kKinds];  // die after the lock, as above
  const std::lock_guard lock(hooks_lock());
  std::swap(old, lists_);
}

std::shared_ptr<const HookTable::List> HookTable::list(HookKind kind) const {
  const std::lock_guard lock(hooks_lock());
  return lists_[static_cast<size_t>(kind)];
}

bool HookHandle::remove() {
  const auto table = table_.lock();
  return table != nullptr && table->remove(id_);
}

HookHandle add_hook(Node& node, HookKind kind, std::shared_ptr<Hook> hook, uint32_t slot) {
  NodeExtras& more = node.make_extras();
  std::shared_ptr<HookTable> table;
  {
    const std::lock_guard lock(hooks_lock());
    if (more.hooks_owner == nullptr) more.hooks_owner = std::make_shared<HookTable>();
    table = more.hooks_owner;
  }
  more.hooks.store(table.get(), std::memory_order_release);
  const uint64_t id = table->add(kind, static_cast<uint16_t>(slot), std::move(hook));
  return {table, id};
}

uint64_t Node::add_hook(uint16_t slot, std::unique_ptr<TensorHook> hook) {
  return autograd::add_hook(*this, HookKind::kTensor, std::move(hook), slot);
}

bool Node::remove_hook(uint64_t id) {
  HookTable* hooks = hooks_of(*this);
  return hooks != nullptr && hooks->remove(id);
}

HookHandle add_tensor_hook(const TensorBase& tensor, std::shared_ptr<TensorHook> hook) {
  const Edge edge = gradient_edge(tensor);
  EAGRE_CHECK(static_cast<bool>(edge.node), kAutograd,
              "cannot register a hook on a tensor that doesn't require gradient");
  return add_hook(*edge.node, HookKind::kTensor, std::move(hook), edge.slot);
}

HookHandle add_accumulated_hook(const TensorBase& leaf, std::shared_ptr<AccumulatedHook> hook) {
  const Edge edge = gradient_edge(leaf);
  EAGRE_CHECK(static_cast<bool>(edge.node), kAutograd,
              "cannot register a hook on a tensor that doesn't require gradient");
  EAGRE_CHECK(edge.node->is_accumulate(), kAutograd,
              "post accumulate grad hooks cannot be registered on non-leaf tensors. Hint: "
              "register_hook() sees the gradient of any tensor");
  return add_hook(*edge.node, HookKind::kAccumulated, std::move(hook));
}

void run_tensor_hooks(Node& node, HookTable& hooks, Span<TensorBase> gradients) {
  run_kind(node, hooks, HookKind::kTensor, gradients);
  run_kind(node, hooks, HookKind::kRetain, gradients);
}

void run_pre_hooks(Node& node, HookTable& hooks, Span<TensorBase> gradients) {
  const auto list = hooks.list(HookKind::kBefore);
  if (list == nullptr) return;
  GradientList values(gradients.begin(), gradients.end());
  for (const auto& registered : *list) {
    auto& hook = static_cast<PreHook&>(*registered.hook);
    auto replacement = hook.call(values);
    if (!replacement) continue;
    replace_all(hook, concat("that enter ", node.name()), values, std::move(*replacement));
  }
  std::move(values.begin(), values.end(), gradients.begin());
}

void run_accumulated_hooks(const TensorBase& leaf, HookTable& hooks) {
  const auto list = hooks.list(HookKind::kAccumulated);
  if (list == nullptr) return;
  for (const auto& registered : *list) {
    static_cast<AccumulatedHook&>(*registered.hook).call(leaf);
  }
}

void run_post_hooks(Node& node, HookTable& hooks, Span<TensorBase> results,
                    GradientList gradients) {
  const auto list = hooks.list(HookKind::kAfter);
  if (list == nullptr) return;
  gradients.resize(node.slot_count());
  GradientList values(results.begin(), results.end());
  for (const auto& registered : *list) {
    auto& hook = static_cast<PostHook&>(*registered.hook);
    auto replacement = hook.call(values, gradients);
    if (!replacement) continue;
    replace_all(hook, concat("that ", node.name(), " returned"), values, std::move(*replacement));
  }
  std::move(values.begin(), values.end(), results.begin());
}

}  // namespace eagre::autograd
