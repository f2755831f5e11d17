// What losses share: their reductions, and checks of what they compare.
#pragma once

#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

LossReduction parse_reduction(const char* op, std::string_view text);

// The losses of all elements as their mean or sum, or as they are.
TensorBase reduce_losses(const TensorBase& each, LossReduction how, CallSite at);

// Two tensors of one shape. Those of different shapes are expanded, with a warning, and before
// dtypes are compared, as in PyTorch: a 0-dim tensor counts like any other.
struct Compared {
  TensorBase input, target;
};
Compared expand_together(const char* op, const TensorBase& input, const TensorBase& target,
                         CallSite at);

// The weight of each element, if any, must have the shape of the input.
void check_element_weights(const char* op, const TensorBase& input, const TensorBase& weight);
// The losses times the weights, reduced: the mean is over the weights.
TensorBase reduce_weighted(const TensorBase& each, const TensorBase& weight, LossReduction how,
                           CallSite at);

}  // namespace eagre::ops
