// One node for a call with two results, for operators that are made of others: users see one step.
#pragma once

#include <array>
#include <functional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

// The gradient of the input from that of one result.
using PairGradient = std::function<TensorBase(const TensorBase& g, const TensorBase& input,
                                              const TensorBase& result, CallSite at)>;

struct PairRule {
  PairGradient gradient;
  bool needs_result = false;  // else it gets an undefined one, and the user may write to it
};

// `results` were computed from `input` without recording. From now on a node is behind them whose
// name (a literal) is `name`.
EAGRE_API void record_pair(const char* name, const TensorBase& input,
                           const std::array<TensorBase, 2>& results, std::array<PairRule, 2> rules,
                           CallSite at);

}  // namespace eagre::autograd
