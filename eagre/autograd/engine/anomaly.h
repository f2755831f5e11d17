// Looking at nodes while they run: anomaly mode, the search for NaN, the debug log, and events for
// a profiler. A backward call asks once whether anyone looks; if not, it costs nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <eagre/autograd/tape/node.h>
#include <eagre/base/span.h>

namespace eagre::autograd {

// Is any of the following on?
bool watches_nodes();

// For the whole process. Errors in backward come with the lines that recorded the node, and with
// those of the nodes whose backward recorded it; and NaN in the result of a node is an error.
struct EAGRE_API AnomalyMode {
  static bool is_enabled();
  static bool should_check_nan();
  static void set_enabled(bool enabled, bool check_nan = true);
};

class EAGRE_API DetectAnomalyGuard {
 public:
  explicit DetectAnomalyGuard(bool check_nan = true);
  ~DetectAnomalyGuard();
  DetectAnomalyGuard(const DetectAnomalyGuard&) = delete;
  DetectAnomalyGuard& operator=(const DetectAnomalyGuard&) = delete;

 private:
  bool was_enabled_, did_check_nan_;
};

// Where a node came from that the backward of another one recorded. Texts, no nodes: it keeps
// nothing alive.
struct NodeOrigin {
  std::string name;
  uint32_t site;
  std::shared_ptr<const NodeOrigin> origin;
};

// The begin and end of a node, in the thread that runs it. What an observer throws fails the
// backward call, unless the node has failed already.
struct NodeEvent {
  Node& node;
  bool is_begin;
};
using NodeObserver = void (*)(const NodeEvent& event);
// Returns the old one; null switches the events off.
EAGRE_API NodeObserver set_node_observer(NodeObserver observer);

// Runs a node under all of it.
EAGRE_COLD void apply_watched(Node& node, BackwardCall& call, Span<TensorBase> gradients,
                              Span<TensorBase> results);
// A node, or a hook around it, has thrown.
void note_failure(const Node& node) noexcept;

}  // namespace eagre::autograd
