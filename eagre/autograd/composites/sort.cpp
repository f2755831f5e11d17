// argsort, which is sort without the values.
#include <eagre/autograd/ops/argsort.h>
#include <eagre/dispatch/ops/sort.h>

namespace eagre::ops {

TensorBase argsort(const TensorBase& input, int64_t dim, bool descending, bool stable, CallSite) {
  wrap_dim("argsort", "dim", dim, input.dim());
  return dispatch::sort(input, dim, descending, stable)[1];
}

}  // namespace eagre::ops
