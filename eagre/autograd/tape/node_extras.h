// What few nodes need: hooks, a user's data, slots beyond the first. Made when first asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <eagre/autograd/tape/input_metadata.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

class CopySlices;
class HookTable;
struct NodeOrigin;

struct NodeExtras {
  std::atomic<HookTable*> hooks{nullptr};
  std::shared_ptr<HookTable> hooks_owner;  // of `hooks`; shared so that handles can be weak
  CopySlices* inside = nullptr;            // the node that runs this one in its own place
  std::shared_ptr<void> user_data;         // what a binding keeps with the node
  // In anomaly mode: the node whose backward recorded this one.
  std::shared_ptr<const NodeOrigin> origin;
  std::atomic<uint64_t> sequential_ticket{0};  // see sequential.h; 0: none

  // Slots beyond the first of a node with several outputs.
  std::vector<std::unique_ptr<InputMetadata>> more_metadata;
  std::vector<TensorBase> more_gradients;
};

}  // namespace eagre::autograd
