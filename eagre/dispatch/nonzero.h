// Where the elements of a tensor are not 0. The sizes of the results follow from the data, so these
// are not made of a shape function and a kernel like other operators.
#pragma once

#include <eagre/core/tensor_list.h>

namespace eagre::dispatch {

// One row of coordinates for each, in row-major order: [count, dimensions].
TensorBase nonzero(const char* op, const TensorBase& tensor);
// The same by dimension: a vector for each.
TensorVector nonzero_by_dimension(const char* op, const TensorBase& tensor);
// Their numbers in row-major order.
TensorBase nonzero_places(const char* op, const TensorBase& tensor);

}  // namespace eagre::dispatch
