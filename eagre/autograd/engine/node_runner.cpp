// The rarer steps of running a node: sums of gradients, hooks, the place of an error.
#include <eagre/autograd/engine/node_runner.h>

#include <string>
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
  kept.accumulates = node.is_accumulate() && gradients[0].defined();
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

void NodeRunner::add_place(Error& error, const Node& node) {
  const std::string place =
      node.is_accumulate() ? "" : concat(", recorded at ", describe_site(node.site()));
  error.add_line(concat("  in the backward of ", node.name(), place));
}

}  // namespace eagre::autograd
