// Gradients must fit the tensors they belong to.
#pragma once

#include <eagre/autograd/node.h>

namespace eagre::autograd {

// Makes `gradient` fit slot `edge.slot` of `edge.node`: sums over dimensions that were broadcast,
// casts the dtype, moves 0-dim tensors; anything else is an error that names `from`.
void validate_gradient_slowly(const Edge& edge, TensorBase& gradient, const Node* from,
                              size_t index);

bool fits(const Node& node, uint32_t slot, const TensorImpl& gradient);

inline void validate_gradient(const Edge& edge, TensorBase& gradient, const Node* from,
                              size_t index) {
  if (fits(*edge.node, edge.slot, gradient.get())) [[likely]] return;
  validate_gradient_slowly(edge, gradient, from, index);
}

}  // namespace eagre::autograd
