// Custom operators in forward mode and in vmap.
#pragma once

#include <eagre/api/op_record.h>
#include <eagre/autograd/tape/transformed_tensor.h>

namespace eagre {

// The results of a call some of whose tensors carry batches of `level`: by the operator's rule, or
// sample by sample by `one`.
std::vector<Tensor> run_batch(const OpCall& call, const std::vector<Tensor>& inputs,
                              autograd::Level& level,
                              const std::function<OpResults(const OpCall&)>& one);

// Gives the results of a call their tangents, by the operator's rule.
void give_tangents(const OpCall& call, const std::vector<Tensor>& inputs,
                   const std::vector<Tensor>& results);

}  // namespace eagre
