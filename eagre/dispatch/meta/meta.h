// Shape functions: each checks the arguments of an operator and says what the result looks like.
// They are the only place where arguments are checked, so every device and the backward agree.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_list.h>

namespace eagre::dispatch::meta {

struct ViewGeometry {
  DimVector sizes;
  DimVector strides;
  int64_t offset = 0;
  std::optional<DType> dtype = {};  // where it is not the base's
};

inline TensorBase view_of(const TensorImpl& base, const ViewGeometry& view) {
  return TensorBase::adopt(
      new_view(base, view.sizes, view.strides, view.offset, view.dtype.value_or(base.key.dtype)));
}

// pointwise.cpp: checks of values; the shape follows from broadcasting
void divisor(const char* op, const TensorImpl& input, const Operand& other);
void integer_power(const char* op, const TensorImpl& input, const Operand& exponent);
void filler(const char* op, const TensorImpl& input, const Operand& value);

// linalg.cpp
DimVector matmul(const char* op, const TensorImpl& input, const TensorImpl& other);

// reduction.cpp
DimVector sum(const char* op, const TensorImpl& input, const OptionalDims& dim, bool keepdim);

// view.cpp
ViewGeometry transpose(const char* op, const TensorImpl& input, int64_t dim0, int64_t dim1);
ViewGeometry expand(const char* op, const TensorImpl& input, Dims size);
ViewGeometry unsqueeze(const char* op, const TensorImpl& input, int64_t dim);
ViewGeometry squeeze(const char* op, const TensorImpl& input, int64_t dim);

// creation.cpp
DimVector sizes(const char* op, Dims size);

}  // namespace eagre::dispatch::meta
