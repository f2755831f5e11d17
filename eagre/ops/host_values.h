// Values of elements, read back to the host: what operators must know before they can go on.
#pragma once

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/all.h>
#include <eagre/ops/cast.h>

namespace eagre::ops {

// Are all elements of a bool tensor true? Of a batch, in all samples; of a meta tensor, yes.
inline bool all_true(const TensorBase& bools, CallSite at) {
  if (bools.device().is_meta()) return true;
  const autograd::SeenLevels none(nullptr);
  const TensorBase every = all(autograd::all_samples(bools), {}, false, at);
  return *dispatch::on_device(every, Device()).data_ptr<bool>();
}

// A tensor of one element as a number. That of a batch is an error, as it is many.
inline int64_t as_integer(const TensorBase& number, CallSite at) {
  const NoGradGuard guard;
  return *dispatch::on_device(cast(number, kInt64, at), Device()).data_ptr<int64_t>();
}

// The only element as a bool, from whatever device.
inline bool as_bool(const char* op, const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get(op, "input");
  if (impl.key.kind == TensorKind::kBatched) dispatch::raise_batched(op);
  const TensorBase here = dispatch::on_device(tensor, Device());
  return Scalar::load(here.dtype(), here.data_ptr()).wrapped<bool>();
}

}  // namespace eagre::ops
