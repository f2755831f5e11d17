// The gradients of views of a part.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/as_strided.h>
#include <eagre/ops/as_strided_grad.h>
#include <eagre/ops/div.h>
#include <eagre/ops/full.h>
#include <eagre/ops/maximum.h>
#include <eagre/ops/place.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/select_grad.h>
#include <eagre/ops/slice_grad.h>
#include <eagre/ops/sum_strided.h>
#include <eagre/ops/unfold_grad.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

TensorBase place_along(const TensorBase& g, Dims size, int64_t dim, int64_t start, int64_t step,
                       CallSite at) {
  DimVector starts(size.size());
  DimVector steps(size.size(), 1);
  starts[dim] = start;
  steps[dim] = step;
  return place(g, size, starts, steps, at);
}

}  // namespace

TensorBase select_grad(const TensorBase& g, Dims size, int64_t dim, int64_t index, CallSite at) {
  const int64_t d = wrap_dim("select", "dim", dim, static_cast<int64_t>(size.size()));
  return place_along(unsqueeze(g, d, at), size, d, index < 0 ? index + size[d] : index, 1, at);
}

TensorBase slice_grad(const TensorBase& g, Dims size, int64_t dim, std::optional<int64_t> start,
                      int64_t step, CallSite at) {
  const int64_t d = wrap_dim("slice", "dim", dim, static_cast<int64_t>(size.size()));
  int64_t first = start.value_or(0);
  if (first < 0) first = std::max<int64_t>(0, first + size[d]);
  return place_along(g, size, d, std::min(first, size[d]), step, at);
}

TensorBase as_strided_grad(const TensorBase& g, Dims shape, Dims strides, int64_t offset, Dims size,
                           Dims stride, std::optional<int64_t> storage_offset, CallSite at) {
  const int64_t first = storage_offset.value_or(offset) - offset;
  EAGRE_CHECK(first >= 0, kUnimplemented,
              "as_strided(): its gradient cannot reach before the input's own memory");
  // What lies beyond the input is memory of other tensors and gets no gradient.
  static_cast<void>(size);
  if (is_contiguous(shape, strides)) return sum_strided(g, shape, stride, first, at);
  // The gradient of the memory that the input spans, seen as the input sees it.
  int64_t extent = 1;
  for (size_t i = 0; i < shape.size(); ++i) extent += (shape[i] - 1) * strides[i];
  const DimVector line{extent};
  TensorBase memory = sum_strided(g, line, stride, first, at);
  if (!is_dense(shape, strides)) {
    // Elements of the input that are the same memory share its gradient.
    const auto options = TensorOptions(real_dtype(g.dtype())).device(g.device());
    const TensorBase shares = sum_strided(full(shape, 1, options, at), line, strides, 0, at);
    memory = div(memory, maximum(shares, full({}, 1, options, at), at), at);
  }
  return as_strided(memory, shape, strides, 0, at);
}

TensorBase unfold_grad(const TensorBase& g, Dims shape, int64_t dimension, int64_t size,
                       int64_t step, CallSite at) {
  if (shape.empty()) {
    if (size == 1) return reshape(g, shape, at);
    return full(shape, 0, TensorOptions(g.dtype()).device(g.device()), at);  // nothing was taken
  }
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t d = wrap_dim("unfold", "dimension", dimension, rank);
  DimVector strides(shape.size());
  contiguous_strides(shape, strides.data());
  DimVector steps(strides);
  steps[d] *= step;
  steps.push_back(strides[d]);
  return sum_strided(g, shape, steps, 0, at);
}

}  // namespace eagre::ops
