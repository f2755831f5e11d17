// Nodes that run one after another in the reverse of the order in which they were registered, also
// where their gradients would allow another one: for backward code that other processes must meet
// in the same order, such as recomputation that communicates.
#pragma once

#include <functional>
#include <vector>

#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

// In every backward call, `node` runs after those that are registered later. Where the graph itself
// demands the opposite, the graph wins. Registering again changes nothing.
EAGRE_API void force_sequential(Node& node);

// Has any node of the process been registered?
bool any_sequential_nodes();

// Those of one backward call. Each waits for the one before it, as if for one more gradient.
class NodeSequence {
 public:
  NodeSequence() = default;
  explicit NodeSequence(const std::vector<Node*>& candidates);

  bool empty() const { return places_.empty(); }
  // Those that wait at the start: all but the first.
  std::vector<Node*> waiting() const;
  // The one that need not wait any more now that `node` has run, or null.
  Node* next(const Node& node);
  // When nothing else can run, as the graph demands another order: one that waits for nothing else
  // and from now on not for its place either, or null.
  Node* first_stuck(const std::function<bool(Node&)>& waits_for_one);

 private:
  struct Place {
    Node* node;
    uint64_t ticket;
    bool waits;
  };
  std::vector<Place> places_;  // as they run
};

}  // namespace eagre::autograd
