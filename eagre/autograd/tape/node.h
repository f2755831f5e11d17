// A node of the gradient graph: an operator call that was recorded, able to turn the gradients of
// its outputs ("slots") into gradients of its inputs ("edges").
//
// Read in this order: Node here, then saved_tensor.h, autograd_meta.h (leaves), engine/graph_task.h
// (one backward call), engine/engine.h (the public functions).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <eagre/autograd/tape/input_metadata.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

class Plan;
class Node;
struct NodeExtras;
class SavedVisitor;
class TensorHook;

// The flag retain_grad_for_all_tensor: whatever an operator makes keeps its gradient.
extern std::atomic<bool> retaining_all;

// Where a gradient goes: slot `slot` of `node`. Without a node: nowhere.
struct Edge {
  IntrusivePtr<Node> node;
  uint32_t slot = 0;
};

// What a node gets when it runs, and where it puts its results.
class BackwardCall {
 public:
  BackwardCall(TensorBase* grads, TensorBase* results, uint64_t wanted, bool keep_graph)
      : grads_(grads), results_(results), wanted_(wanted), keep_graph_(keep_graph) {}

  // The gradient of output `slot`; undefined when nothing depends on it.
  TensorBase& grad(size_t slot) const { return grads_[slot]; }
  // Does anybody need the gradient of this input in this call?
  bool wants(size_t input) const { return input >= 64 || (wanted_ >> input & 1) != 0; }
  void set(size_t input, TensorBase grad) const { results_[input] = std::move(grad); }
  uint64_t wanted() const { return wanted_; }
  // Saved tensors must survive: the graph will be run again.
  bool keep_graph() const { return keep_graph_; }

 private:
  TensorBase* grads_;
  TensorBase* results_;
  uint64_t wanted_;
  bool keep_graph_;
};

class EAGRE_API Node : public GraphObject {
 public:
  static constexpr size_t kInlineEdges = 2;

  Node(uint16_t inputs, uint32_t site, uint16_t slots = 1)
      : sequence_(thread_state.next_sequence++), edge_count_(inputs), slot_count_(slots) {
    site_ = site;
    for (Edge& edge : inline_edges_) new (&edge) Edge;
    if (inputs > kInlineEdges || slots > 1) [[unlikely]]
      make_large();
  }
  ~Node() override;

  virtual std::string name() const = 0;
  virtual void apply(BackwardCall& call) = 0;
  // Shows what the node saved; see saved_visitor.h.
  virtual void visit_saved(SavedVisitor&) {}

  // --- the graph ---
  size_t edge_count() const { return edge_count_; }
  Edge* edges() { return edge_count_ <= kInlineEdges ? inline_edges_ : heap_edges_; }
  // Input i is this tensor: its gradient will flow there if it requires one.
  void connect(size_t input, const TensorBase& tensor) {
    if (tensor.requires_grad()) set_edge(edges()[input], tensor.get());
  }
  bool has_edge(size_t input) { return static_cast<bool>(edges()[input].node); }

  // libtorch's names for who looks at a graph. There what goes into a node is gradients, so its
  // inputs are our slots, and its outputs the edges.
  struct NextEdge {
    IntrusivePtr<Node> function;
    uint32_t input_nr = 0;
    bool is_valid() const { return static_cast<bool>(function); }
  };
  uint32_t num_inputs() const { return slot_count_; }
  uint32_t num_outputs() const { return edge_count_; }
  NextEdge next_edge(size_t output);
  std::vector<NextEdge> next_edges();
  uint64_t sequence_nr() const { return sequence_; }
  // FunctionPreHook and FunctionPostHook, see api/function_hooks.h.
  template <class Hook>
  uint64_t add_pre_hook(std::unique_ptr<Hook> hook) {
    return add_pre_hook_to(*this, std::move(hook));
  }
  template <class Hook>
  uint64_t add_post_hook(std::unique_ptr<Hook> hook) {
    return add_post_hook_to(*this, std::move(hook));
  }

  size_t slot_count() const { return slot_count_; }
  // Makes `output` the result of slot `slot`, holding this node.
  void set_output(uint16_t slot, TensorImpl& output);
  // Only says what the gradient of the slot looks like: the output will not need one.
  void describe_output(uint16_t slot, const TensorImpl& output) {
    (slot == 0 ? metadata_ : more_metadata(slot)).set(output);
  }
  // set_output() for a new node with one output, which takes over the caller's hold.
  static void set_history(IntrusivePtr<Node> node, TensorImpl& output) {
    node->metadata_.set_first(output);
    GraphObject* old = std::exchange(output.grad_node, node.detach());
    if (old != nullptr) old->release();
    output.output_slot = 0;
    retain_if_asked(output);
  }
  // The same for a new output, which has no history yet.
  static void set_history_of_new(IntrusivePtr<Node> node, TensorImpl& output) {
    node->metadata_.set_first(output);
    output.grad_node = node.detach();
    retain_if_asked(output);
  }
  const InputMetadata& input_metadata(size_t slot) const {
    return slot == 0 ? metadata_ : more_metadata(slot);
  }

  uint64_t sequence() const { return sequence_; }
  // Of the nodes that are ready, the one with the greatest number runs first.
  void set_sequence(uint64_t sequence) { sequence_ = sequence; }
  uint32_t topological() const { return topological_; }
  uint32_t site() const { return site_; }
  bool is_accumulate() const { return sequence_ == UINT64_MAX; }

  // --- hooks on the gradient of one slot; run before the node ---
  uint64_t add_hook(uint16_t slot, std::unique_ptr<TensorHook> hook);
  bool remove_hook(uint64_t id);
  NodeExtras* extras() const { return extras_.load(std::memory_order_acquire); }

  static void* operator new(size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* memory, size_t bytes) { free_block(memory, bytes); }

  NodeExtras& make_extras();

 protected:
  struct LeafTag {};
  explicit Node(LeafTag);  // the node inside a leaf

  void set_edge(Edge& edge, TensorImpl& tensor);  // one that leads nowhere yet
  // Input `input` is where `edge` leads.
  void adopt_edge(size_t input, const Edge& edge);

 private:
  static void retain_if_asked(TensorImpl& output) {
    if (retaining_all.load(std::memory_order_relaxed)) [[unlikely]]
      retain_output(output);
  }
  EAGRE_COLD static void retain_output(TensorImpl& output);
  EAGRE_COLD void make_large();
  EAGRE_COLD InputMetadata& more_metadata(size_t slot) const;

  friend class Plan;

  // Scratch of the backward call that has claimed this node; see Note [Claiming] in engine/plan.h.
  // The claim itself is link_.
  struct Scratch {
    int32_t dependencies = 0;
    bool needed = false;    // runs in this call
    bool captured = false;  // its gradient is a result of this call
    TensorBase gradient;    // of slot 0; more slots are in the extras
  };

  uint64_t sequence_;         // order of creation in this thread; leaves are last and run first
  uint32_t topological_ = 0;  // longest path to a leaf: a node reaches only smaller ones
  uint16_t edge_count_;
  uint16_t slot_count_;
  Scratch scratch_;
  std::atomic<NodeExtras*> extras_{nullptr};  // owned
  InputMetadata metadata_;                    // of slot 0
  union {
    Edge inline_edges_[kInlineEdges];
    Edge* heap_edges_;
  };
};

// The edge that the gradient of this tensor flows along; without a node if it needs none.
EAGRE_API Edge gradient_edge(const TensorBase& tensor);

}  // namespace eagre::autograd
