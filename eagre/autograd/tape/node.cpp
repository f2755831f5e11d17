// How nodes are made; connect.cpp has their edges, outputs and end.
#include <eagre/autograd/tape/node.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include <eagre/autograd/tape/input_metadata.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/base/error.h>

namespace eagre::autograd {

static_assert(sizeof(Node) == 120, "a recorded pointwise call must stay below 400 bytes");

void Node::make_large() {
  if (slot_count_ > 1) {
    NodeExtras& more = make_extras();
    for (size_t i = 1; i < slot_count_; ++i)
      more.more_metadata.push_back(std::make_unique<InputMetadata>());
    more.more_gradients.resize(slot_count_ - 1);
  }
  if (edge_count_ > kInlineEdges) heap_edges_ = new Edge[edge_count_];
}

Node::Node(LeafTag) : sequence_(UINT64_MAX), edge_count_(0), slot_count_(1) {
  refs_.store(kEmbedded, std::memory_order_relaxed);
  for (Edge& edge : inline_edges_) new (&edge) Edge;
}

InputMetadata& Node::more_metadata(size_t slot) const { return *extras()->more_metadata[slot - 1]; }

NodeExtras& Node::make_extras() {
  if (NodeExtras* more = extras()) return *more;
  auto fresh = std::make_unique<NodeExtras>();
  NodeExtras* current = nullptr;
  if (extras_.compare_exchange_strong(current, fresh.get(), std::memory_order_acq_rel)) {
    return *fresh.release();
  }
  return *current;  // another thread was faster
}

Node::NextEdge Node::next_edge(size_t output) {
  EAGRE_CHECK(output < edge_count_, kIndex, "next_edge(): ", name(), " has ", edge_count_,
              " outputs, but number ", output, " was asked for");
  const Edge& edge = edges()[output];
  return {edge.node, edge.slot};
}

std::vector<Node::NextEdge> Node::next_edges() {
  std::vector<NextEdge> found;
  found.reserve(edge_count_);
  for (size_t i = 0; i < edge_count_; ++i) found.push_back(next_edge(i));
  return found;
}

}  // namespace eagre::autograd
