// The history of a custom operator's results.
#pragma once

#include <eagre/api/op_record.h>

namespace eagre {

// The results with a node that calls the operator's gradient, if the call is to be recorded.
// `inputs` are all tensors among the arguments.
OpResults record_call(const OpCall& call, const std::vector<Tensor>& inputs,
                      std::vector<Tensor> outputs, bool records);

}  // namespace eagre
