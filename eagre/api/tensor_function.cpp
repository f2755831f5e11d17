// A function of one tensor, as one of lists.
#include <eagre/api/tensor_function.h>

#include <utility>

namespace eagre::autograd::functional {

TensorFunction as_list(SingleFunction function) {
  return [function = std::move(function)](const Tensors& inputs) {
    return Tensors{function(inputs[0])};
  };
}

}  // namespace eagre::autograd::functional
