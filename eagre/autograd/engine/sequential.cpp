// Tickets in the order of registration, and the nodes of a call sorted by them.
#include <eagre/autograd/engine/sequential.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>

namespace eagre::autograd {
namespace {

std::atomic<uint64_t> last_ticket{0};

uint64_t ticket_of(const Node& node) {
  const NodeExtras* extras = node.extras();
  return extras == nullptr ? 0 : extras->sequential_ticket.load(std::memory_order_relaxed);
}

}  // namespace

void force_sequential(Node& node) {
  auto& ticket = node.make_extras().sequential_ticket;
  if (ticket.load(std::memory_order_relaxed) != 0) return;
  uint64_t none = 0;
  ticket.compare_exchange_strong(none, ++last_ticket, std::memory_order_relaxed);
}

bool any_sequential_nodes() { return last_ticket.load(std::memory_order_relaxed) != 0; }

NodeSequence::NodeSequence(const std::vector<Node*>& candidates) {
  for (Node* node : candidates) {
    if (const uint64_t ticket = ticket_of(*node)) places_.push_back({node, ticket, true});
  }
  std::sort(places_.begin(), places_.end(),
            [](const Place& a, const Place& b) { return a.ticket > b.ticket; });
  if (!places_.empty()) places_.front().waits = false;
}

std::vector<Node*> NodeSequence::waiting() const {
  std::vector<Node*> nodes;
  for (const Place& place : places_) {
    if (place.waits) nodes.push_back(place.node);
  }
  return nodes;
}

Node* NodeSequence::next(const Node& node) {
  const uint64_t ticket = ticket_of(node);
  if (ticket == 0) return nullptr;
  auto place = std::lower_bound(places_.begin(), places_.end(), ticket,
                                [](const Place& a, uint64_t key) { return a.ticket > key; });
  if (place == places_.end() || place->node != &node) return nullptr;  // registered meanwhile
  ++place;
  return place != places_.end() && std::exchange(place->waits, false) ? place->node : nullptr;
}

Node* NodeSequence::first_stuck(const std::function<bool(Node&)>& waits_for_one) {
  const auto place = std::find_if(places_.begin(), places_.end(), [&](const Place& candidate) {
    return candidate.waits && waits_for_one(*candidate.node);
  });
  if (place == places_.end()) return nullptr;
  place->waits = false;
  return place->node;
}

}  // namespace eagre::autograd
