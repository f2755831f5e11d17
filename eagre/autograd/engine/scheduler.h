// When nodes run: each after all its gradients, of those that could run the latest recorded first.
// The same for the run in one thread, the run with devices, and the question for the order.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/sequential.h>
#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

inline bool runs_later(const Node* a, const Node* b) { return a->sequence() < b->sequence(); }

// Nodes that have all their gradients.
class ReadyQueue {
 public:
  bool empty() const { return heap_.empty(); }
  void clear() { heap_.clear(); }
  EAGRE_INLINE void push(Node& node) {
    heap_.push_back(&node);
    if (heap_.size() > 1) sort_in_last();
  }
  EAGRE_INLINE Node& pop() {
    if (heap_.size() > 1) move_first_to_end();
    Node* const node = heap_.back();
    heap_.pop_back();
    return *node;
  }

 private:
  // Calls of their own: in a chain, one node is ready at a time.
  EAGRE_NOINLINE void sort_in_last() { std::push_heap(heap_.begin(), heap_.end(), runs_later); }
  EAGRE_NOINLINE void move_first_to_end() { std::pop_heap(heap_.begin(), heap_.end(), runs_later); }

  std::vector<Node*> heap_;
};

// `Run` derives from this and says
//   int32_t& waiting(Node&)    how many gradients the node waits for,
//   bool takes_part(Node&)     whether it runs, or its gradient is a result,
//   void make_ready(Node&)     where it goes when it waits for none.
template <class Run>
class Scheduler {
 protected:
  template <class Roots>
  void start(Roots& roots) {
    for (auto& root : roots) {
      Node& node = *root.edge.node;
      int32_t& waiting = run().waiting(node);
      if (waiting != 0 || !run().takes_part(node)) continue;
      waiting = -1;  // the same root given twice is ready once
      run().make_ready(node);
    }
  }

  // One of its gradients is there.
  EAGRE_INLINE void arrive(Node& node, int32_t& waiting) {
    if (--waiting == 0) run().make_ready(node);
  }

  // The node has run: see sequential.h for who waited for that.
  void finish_in_sequence(Node& node) { arrive_in_sequence(sequence_.next(node)); }
  // When no node is ready: of those that only wait for their turn, one need not any more.
  void free_stuck() {
    arrive_in_sequence(sequence_.first_stuck([&](Node& node) { return run().waiting(node) == 1; }));
  }
  bool has_sequence() const { return !sequence_.empty(); }
  std::vector<Node*> waiting_in_sequence() const { return sequence_.waiting(); }

 private:
  friend Run;
  explicit Scheduler(NodeSequence sequence) : sequence_(std::move(sequence)) {}

  Run& run() { return static_cast<Run&>(*this); }
  void arrive_in_sequence(Node* node) {
    if (node != nullptr) arrive(*node, run().waiting(*node));
  }

  NodeSequence sequence_;
};

}  // namespace eagre::autograd
