// Copies of values, batch by batch, and of tangents.
#include <eagre/autograd/transforms/writing.h>

#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/fill.h>

namespace eagre::autograd {

void copy_batch(const TensorBase& target, const TensorBase& source, CallSite at) {
  if (target.is_same(source)) return;
  Level* const level = TransformedInputs(target, source).batch_level();
  if (level == nullptr) {
    const TensorBase values =
        dispatch::shared_with(target, source) ? dispatch::copy_of(source) : source;
    const auto expanded = dispatch::meta::expand("copy_", values.get(), target.sizes());
    return dispatch::copy_into(target.get(), dispatch::meta::view_of(values.get(), expanded));
  }
  const BatchCall call("copy_", level, at);
  EAGRE_CHECK(call.is_batched(target), kAutograd,
              "copy_(): vmap: a tensor that is the same for all samples cannot be written in place "
              "with values that differ from sample to sample. Hint: make the target inside the "
              "function, from an argument of it (for example by zeros_like or new_zeros), or use "
              "the form of the operator that makes a new tensor");
  ops::copy_(call.first(target), call.padded(source, target.dim()), false, at);
}

void copy_tangents(const TensorBase& target, const TensorBase& source, CallSite at) {
  if (target.is_same(source) || !is_differentiable(target.dtype())) return;
  for_dual_levels(TransformedInputs(target, source), [&](Level& level) {
    const TensorBase from = tangent_of(source, level);
    const TensorBase to = written_tangent(target, level, at, from);
    if (from.defined()) {
      ops::copy_(to, from, false, at);
    } else {
      ops::fill_(to, 0, at);
    }
  });
}

}  // namespace eagre::autograd
