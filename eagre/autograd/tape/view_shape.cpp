// Views of a tensor by their strides, recorded as operators.
#include <eagre/autograd/tape/view_shape.h>

#include <cstdint>

#include <eagre/autograd/tape/level.h>
#include <eagre/base/call_site.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/as_strided.h>
#include <eagre/ops/view_as_complex.h>
#include <eagre/ops/view_as_real.h>

namespace eagre::autograd {

TensorBase ViewShape::of(const TensorBase& base, CallSite at) const {
  if (dtype == base.dtype()) return ops::as_strided(base, sizes, strides, offset, at);
  if (is_complex(base.dtype())) {
    return ops::as_strided(ops::view_as_real(base, at), sizes, strides, offset, at);
  }
  // Complex numbers in real memory: pairs first.
  DimVector pair_sizes(sizes);
  DimVector pair_strides(strides);
  for (int64_t& stride : pair_strides) stride *= 2;
  pair_sizes.push_back(2);
  pair_strides.push_back(1);
  return ops::view_as_complex(ops::as_strided(base, pair_sizes, pair_strides, 2 * offset, at), at);
}

TensorBase view_of_dual(const TensorBase& base, const ViewShape& shape, CallSite at) {
  if (base.is_view()) return shape.of(base, at);  // whose tangent may not be that of its own base
  const TangentsOff off;  // a view without a tangent of its own is seen in that of its base
  return shape.of(base, at);
}

}  // namespace eagre::autograd
