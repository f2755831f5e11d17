// The gradient of narrow.
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/narrow_grad.h>
#include <eagre/autograd/ops/zeros.h>

namespace eagre::ops {

TensorBase narrow_grad(const TensorBase& g, Dims size, int64_t dim, int64_t start, CallSite at) {
  const int64_t d = wrap_dim("narrow", "dim", dim, static_cast<int64_t>(size.size()));
  const int64_t first = start < 0 ? start + size[d] : start;
  const TensorOptions options = TensorOptions(g.dtype()).device(g.device());
  const auto zeros_of = [&](int64_t length) {
    DimVector sizes;
    for (size_t i = 0; i < size.size(); ++i) {
      sizes.push_back(static_cast<int64_t>(i) == d ? length : size[i]);
    }
    return zeros(sizes, options, at);
  };
  return cat({zeros_of(first), g, zeros_of(size[d] - first - g.sizes()[d])}, d, at);
}

}  // namespace eagre::ops
