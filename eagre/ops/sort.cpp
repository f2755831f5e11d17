// What follows from sorting: argsort, msort, kthvalue, and the gradient of a choice.
#include <array>
#include <cstdint>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/ops/sort.h>
#include <eagre/ops/argsort.h>
#include <eagre/ops/check_ordered.h>
#include <eagre/ops/chosen_grad.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/kthvalue.h>
#include <eagre/ops/msort.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/put_along.h>
#include <eagre/ops/sort.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/values_at.h>

namespace eagre::ops {

TensorBase argsort(const TensorBase& input, int64_t dim, bool descending, bool stable,
                   CallSite at) {
  wrap_dim("argsort", "dim", dim, input.dim());
  if (autograd::are_transformed(input)) return sort(input, dim, descending, stable, at)[1];
  return dispatch::sort(input, dim, descending, stable)[1];
}

std::array<TensorBase, 2> kthvalue(const TensorBase& input, int64_t k, int64_t dim, bool keepdim,
                                   CallSite at) {
  const SiteScope scope(at);
  check_ordered("kthvalue", input);
  const int64_t d = wrap_dim("kthvalue", "dim", dim, input.dim());
  const int64_t size = input.dim() == 0 ? 1 : input.sizes()[d];
  if (k < 1 || k > size) {
    raise(
        ErrorKind::kInvalidArgument,
        ArgumentProblem{"kthvalue", "k", concat("from 1 to ", size, ", the size of dimension ", d),
                        concat(k, ": selected number k out of range")});
  }
  if (input.dim() == 0) return kthvalue(unsqueeze(input, 0, at), k, 0, false, at);
  TensorBase places;
  {
    const NoGradGuard guard;
    places = narrow(sort(input, d, false, true, at)[1], d, k - 1, 1, at);
  }
  return values_at(input, d, places, keepdim, at);
}

TensorBase msort(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_ordered("msort", input);
  return input.dim() == 0 ? clone(input, at) : sort(input, 0, false, false, at)[0];
}

TensorBase chosen_grad(const TensorBase& g, const TensorBase& indices, Dims size, int64_t dim,
                       bool keepdim, CallSite at) {
  if (keepdim || size.empty()) return put_along(g, indices, size, dim, {}, at);
  const int64_t place = wrap_dim("chosen_grad", "dim", dim, static_cast<int64_t>(size.size()));
  return put_along(unsqueeze(g, place, at), unsqueeze(indices, place, at), size, dim, {}, at);
}

}  // namespace eagre::ops
