// Elements that are read back to the host.
#include <eagre/autograd/composites/looked_at.h>

#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/ops/all.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::ops {

bool all_true(const TensorBase& truths, CallSite at) {
  if (truths.device().is_meta()) return true;
  const autograd::SeenLevels none(nullptr);
  const TensorBase every = all(autograd::all_samples(truths), {}, false, at);
  return *dispatch::on_device(every, Device()).data_ptr<bool>();
}

int64_t as_integer(const TensorBase& number, CallSite at) {
  const NoGradGuard guard;
  return *dispatch::on_device(cast(number, kInt64, at), Device()).data_ptr<int64_t>();
}

}  // namespace eagre::ops
