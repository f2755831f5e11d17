// What results were made of, looked up in their graph.
#pragma once

#include <eagre/core/tensor_list.h>

namespace eagre::autograd {

// Do results depend on something that requires gradients besides these leaves? What they carry may
// do so as well.
EAGRE_API bool depend_on_others(eagre::TensorList results, eagre::TensorList leaves);

}  // namespace eagre::autograd
