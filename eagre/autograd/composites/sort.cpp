// argsort, which is sort without the values.
#include <eagre/autograd/ops/argsort.h>
#include <eagre/autograd/ops/sort.h>
#include <eagre/autograd/transforms/carried.h>
#include <eagre/dispatch/ops/sort.h>

namespace eagre::ops {

TensorBase argsort(const TensorBase& input, int64_t dim, bool descending, bool stable,
                   CallSite at) {
  wrap_dim("argsort", "dim", dim, input.dim());
  if (autograd::are_transformed(input)) return sort(input, dim, descending, stable, at)[1];
  return dispatch::sort(input, dim, descending, stable)[1];
}

}  // namespace eagre::ops
