// Tensors as text, the way PyTorch prints them.
#pragma once

#include <iosfwd>
#include <string>

#include <eagre/core/tensor_base.h>

namespace eagre {

// "tensor([1., 2.], requires_grad=True)"; long tensors are shortened.
EAGRE_API std::string to_string(const TensorBase& tensor);

EAGRE_API std::ostream& operator<<(std::ostream& out, const TensorBase& tensor);
EAGRE_API std::ostream& operator<<(std::ostream& out, Dims sizes);
EAGRE_API std::ostream& operator<<(std::ostream& out, DType dtype);
EAGRE_API std::ostream& operator<<(std::ostream& out, Device device);

}  // namespace eagre
