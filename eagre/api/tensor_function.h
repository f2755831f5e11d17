// Functions of tensors, as those that differentiate and map them take them.
#pragma once

#include <functional>
#include <vector>

#include <eagre/api/tensor.h>

namespace eagre::autograd::functional {

using Tensors = std::vector<Tensor>;
using TensorFunction = std::function<Tensors(const Tensors&)>;
using SingleFunction = std::function<Tensor(const Tensor&)>;

// A function of one tensor, as one of lists of one.
EAGRE_API TensorFunction as_list(SingleFunction function);

// A block per output and input: that of output i by input j is [i][j].
using Matrix = std::vector<Tensors>;

}  // namespace eagre::autograd::functional
