// Running a node while anomaly mode, the search for NaN, the log or a profiler is on.
#include <eagre/autograd/engine/anomaly.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/error.h>
#include <eagre/base/log.h>
#include <eagre/base/site_table.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_state.h>
#include <eagre/base/warn.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/check_nan_inf.h>

namespace eagre::autograd {
namespace {

std::atomic<bool> anomaly{false}, checks_nan{true};
std::atomic<NodeObserver> node_observer{nullptr};

std::string shapes(Span<TensorBase> tensors) {
  std::string text;
  for (const TensorBase& tensor : tensors) {
    text.append(text.empty() ? "" : ", ");
    text.append(tensor.defined() ? concat(tensor.dtype(), tensor.sizes()) : "none");
  }
  return text;
}

std::string trace_of(const Node& node) {
  const std::string line = describe_site(node.site()),
                    trace = describe_site_with_callers(node.site());
  std::string text = concat(
      "Error detected in ", node.name(),
      line == trace ? ". No forward pass information available. Enable detect anomaly during "
                      "forward pass for more information than its line:\n"
                    : ". Traceback of forward call that caused the error:\n",
      trace);
  const NodeExtras* extras = node.extras();
  for (auto origin = extras == nullptr ? nullptr : extras->origin; origin != nullptr;
       origin = origin->origin) {
    text += concat("\n\nPrevious calculation was induced by ", origin->name,
                   ". Traceback of forward call that induced the previous calculation:\n",
                   describe_site_with_callers(origin->site));
  }
  return text;
}

// The first error counts, also where warnings are errors.
void warn_of(const Node& node) noexcept {
  try {
    const std::string text = trace_of(node);
    try {
      warn(text);
    } catch (...) {
      log(LogLevel::kWarn, text);
    }
  } catch (...) {  // NOLINT: no memory for the text
  }
}

// The nodes that `maker` recorded: reachable from its results, and not older than it ran.
void set_origin(Node& maker, Span<TensorBase> results, uint64_t first_sequence) {
  const NodeExtras* extras = maker.extras();
  const auto origin = std::make_shared<const NodeOrigin>(NodeOrigin{
      std::string(maker.name()), maker.site(), extras == nullptr ? nullptr : extras->origin});
  std::vector<Node*> stack;
  const auto enter = [&](Node* node) {
    if (node == nullptr || node->is_accumulate() || node->sequence() < first_sequence) return;
    NodeExtras& more = node->make_extras();
    if (more.origin != nullptr) return;
    more.origin = origin;
    stack.push_back(node);
  };
  for (const TensorBase& result : results) {
    if (result.defined()) enter(static_cast<Node*>(result.get().grad_node));
  }
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    for (size_t i = 0; i < node->edge_count(); ++i) enter(node->edges()[i].node.get());
  }
}

void check_for_nan(const Node& node, Span<TensorBase> results) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].defined() || !dispatch::has_nan(all_samples(results[i]))) continue;
    raise(ErrorKind::kAutograd,
          concat("Function '", node.name(), "' returned nan values in its ", i, "th output."));
  }
}

// Runs the node between its two events. An observer that throws is an error of the node, unless
// the node itself has failed: the first error counts.
template <class Run>
void observe(Node& node, const Run& run) {
  const NodeObserver observer = node_observer.load();
  if (observer == nullptr) return run();
  observer({node, true});
  try {
    run();
  } catch (...) {
    try {
      observer({node, false});
    } catch (...) {  // NOLINT: see above
    }
    throw;
  }
  observer({node, false});
}

}  // namespace

bool watches_nodes() {
  return anomaly.load(std::memory_order_relaxed) ||
         node_observer.load(std::memory_order_relaxed) != nullptr ||
         log_level() >= LogLevel::kDebug;
}

bool AnomalyMode::is_enabled() { return anomaly; }
bool AnomalyMode::should_check_nan() { return checks_nan; }
void AnomalyMode::set_enabled(bool enabled, bool check_nan) {
  checks_nan = check_nan;
  anomaly = enabled;
}

DetectAnomalyGuard::DetectAnomalyGuard(bool check_nan)
    : was_enabled_(AnomalyMode::is_enabled()), did_check_nan_(AnomalyMode::should_check_nan()) {
  AnomalyMode::set_enabled(true, check_nan);
}
DetectAnomalyGuard::~DetectAnomalyGuard() {
  AnomalyMode::set_enabled(was_enabled_, did_check_nan_);
}

NodeObserver set_node_observer(NodeObserver observer) { return node_observer.exchange(observer); }

void apply_watched(Node& node, BackwardCall& call, Span<TensorBase> gradients,
                   Span<TensorBase> results) {
  log_parts(LogLevel::kDebug, "backward: ", node.name(), " of ", shapes(gradients),
            ", recorded at ", describe_site(node.site()));
  observe(node, [&] {
    if (!anomaly) return node.apply(call);
    const uint64_t first_sequence = thread_state.next_sequence;
    node.apply(call);
    if (GradMode::is_enabled()) set_origin(node, results, first_sequence);
    if (checks_nan) check_for_nan(node, results);
  });
}

void note_failure(const Node& node) noexcept {
  if (anomaly) warn_of(node);
}

}  // namespace eagre::autograd
