// Shapes of reductions.
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector reduced(const char* op, const TensorImpl& input, const OptionalDims& dim, bool keepdim) {
  const Dims sizes = input.sizes();
  const auto rank = static_cast<int64_t>(sizes.size());
  // No list and an empty list both mean all dimensions.
  const uint64_t reduced =
      dim.values().empty() ? ~uint64_t{0} : dim_mask(op, "dim", dim.values(), rank);
  DimVector result;
  for (int64_t d = 0; d < rank; ++d) {
    if ((reduced >> d & 1) == 0) {
      result.push_back(sizes[d]);
    } else if (keepdim) {
      result.push_back(1);
    }
  }
  return result;
}

// Here an empty list means no dimension, as in PyTorch.
DimVector reduced_bool(const char* op, const TensorImpl& input, const OptionalDims& dim,
                       bool keepdim) {
  if (dim.given() && dim.values().empty()) return input.sizes();
  return reduced(op, input, dim, keepdim);
}

DimVector leave_one_out(const char* op, const TensorImpl& input, const OptionalDims& dim) {
  const Dims sizes = input.sizes();
  const auto rank = static_cast<int64_t>(sizes.size());
  uint64_t reduced = dim.values().empty() ? ~uint64_t{0} : 0;
  for (int64_t d : dim.values()) reduced |= uint64_t{1} << wrap_dim(op, "dim", d, rank);
  DimVector result = sizes;
  for (int64_t d = 0; d < rank; ++d) {
    if ((reduced >> d & 1) != 0) result.push_back(sizes[d]);
  }
  checked_numel(op, result);
  return result;
}

DimVector leave_one_out_grad(const char*, const TensorImpl&, Dims size) { return size; }

}  // namespace eagre::dispatch::meta
