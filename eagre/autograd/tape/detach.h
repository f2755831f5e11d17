// The same memory without history: detach(), .data, detach_(), stop_gradient.
#pragma once

#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

// The same values without history, sharing memory and version counter.
EAGRE_API TensorBase detach(const TensorBase& tensor);

// The same memory without history and with a version counter of its own: autograd does not see what
// is written through it.
EAGRE_API TensorBase variable_data(const TensorBase& tensor);
// Gives a tensor the memory and geometry of another one. It keeps its version counter where it can:
// what was saved of it must not look unchanged. Views of the tensor, which hold it and not its
// memory, keep what they look at.
EAGRE_API void share_memory(TensorImpl& tensor, const TensorImpl& from);
// Gives a tensor other memory, geometry and dtype; it stays the same tensor with the same history.
EAGRE_API void set_data(const TensorBase& tensor, const TensorBase& data);

// Makes a tensor a leaf that requires no gradient.
EAGRE_API void detach_in_place(const TensorBase& tensor);

// Paddle's word for "requires no gradient", which the user may say of any tensor: a recorded result
// loses its history, and writing to it in place does not give it one. False takes that back.
EAGRE_API void set_stop_gradient(const TensorBase& tensor, bool stop);

// Forgets how often the memory was written, and with it what saved tensors are compared with.
EAGRE_API void reset_inplace_version(const TensorBase& tensor);

}  // namespace eagre::autograd
