// Gradients must fit the tensors they belong to.
#pragma once

#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>

namespace eagre::autograd {

bool fits_leaf(const Node& node, const TensorImpl& gradient);

inline bool fits(const Node& node, uint32_t slot, const TensorImpl& gradient) {
  return node.is_accumulate() ? fits_leaf(node, gradient)
                              : node.input_metadata(slot).matches(gradient);
}

// What a gradient at an edge must look like.
struct EAGRE_API GradientMetadata {
  DimVector sizes;
  DType dtype;
  Device device;
  bool any_dtype = false;  // a leaf that takes them as they come

  explicit GradientMetadata(const Edge& edge);
  int64_t numel() const;
};

// Who made a gradient: input `index` of `node`, or the user when there is no node.
struct GradientSource {
  const Node* node;
  size_t index;
  CallSite site;
};

// Makes `gradient` fit slot `edge.slot` of `edge.node`: sums over dimensions that were broadcast,
// casts the dtype, moves 0-dim tensors; anything else is an error that names the source.
void make_fit(const Edge& edge, TensorBase& gradient, const GradientSource& source);

}  // namespace eagre::autograd
