// The rarer steps of running a node: sums of gradients, hooks, the place of an error.
#include <eagre/autograd/engine/node_runner.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/site_table.h>
#include <eagre/base/span.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/ops/add.h>
#include <eagre/ops/add.h>

namespace eagre::autograd {

// Sums in the order of arrival, which the order of running fixes: results repeat bit for bit.
EAGRE_NOINLINE void NodeRunner::add_gradient(TensorBase& sum, TensorBase& gradient) {
  if (options_.create_graph || transforms_active()) {
    sum = ops::add(sum, gradient, 1, current_site());
  } else if (sum.get().is_sole_owner()) {
    dispatch::add_(sum, gradient, 1);
  } else {
    sum = dispatch::add(sum, gradient, 1);
  }
}

// See hooks.h for the order.
void NodeRunner::run_hooks_before(Node& node, const Scratch& scratch, NodeIo io,
                                  KeptForHooks& kept) {
  const Span<TensorBase> gradients(io.gradients, node.slot_count());
  HookTable* hooks = hooks_of(node);
  if (hooks != nullptr) run_tensor_hooks(node, *hooks, gradients);
  if (scratch.captured) plan_.store_captures(node, gradients);
  if (hooks == nullptr || !scratch.needed) return;
  run_pre_hooks(node, *hooks, gradients);
  if (hooks->list(HookKind::kAfter) != nullptr) {
    kept.gradients.assign(gradients.begin(), gradients.end());  // the node may move them
  }
  kept.accumulates = node.is_accumulate();
}

EAGRE_NOINLINE void NodeRunner::run_hooks_after(Node& node, NodeIo io, KeptForHooks kept) {
  HookTable* hooks = hooks_of(node);
  if (hooks == nullptr) return;
  if (kept.accumulates) {
    TensorImpl& leaf = static_cast<AccumulateNode&>(node).leaf();
    run_accumulated_hooks(TensorBase::share(&leaf), *hooks);
  }
  run_post_hooks(node, *hooks, {io.results, node.edge_count()}, std::move(kept.gradients));
}

namespace {

// The same class of the standard library with another text. Those that derive from it may hold more
// than that.
template <class... Standard>
void rethrow_as(const std::exception& error, const std::string& text) {
  const auto one = [&]<class T>(std::type_identity<T>) {
    if (typeid(error) == typeid(T)) throw T(text);
  };
  (one(std::type_identity<Standard>()), ...);
}

}  // namespace

void NodeRunner::rethrow_with_place(const Node& node) {
  const std::string line =
      concat("  in the backward of ", node.name(),
             node.is_accumulate() ? "" : concat(", recorded at ", describe_site(node.site())));
  try {
    throw;
  } catch (Error& error) {
    error.add_line(line);
    throw;
  } catch (const std::exception& error) {  // of a function that the user wrote
    rethrow_as<std::runtime_error, std::range_error, std::overflow_error, std::underflow_error,
               std::logic_error, std::invalid_argument, std::domain_error, std::length_error,
               std::out_of_range>(error, concat(error.what(), "\n", line));
    throw;
  }
}

}  // namespace eagre::autograd
