// Tensor.to: what is given by position is told apart by its kind, as the forms of PyTorch are:
// to(dtype, non_blocking, copy), to(device, dtype, non_blocking, copy), to(other, non_blocking,
// copy).
#include "tensor/to.h"

#include <cstddef>
#include <optional>

#include <eagre/api/tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>

#include "call/arguments.h"
#include "call/run_op.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

enum Place : size_t { kSelf, kTarget, kDTypePlace = 5, kDevicePlace, kWaits, kCopy, kFormat };

constexpr Parameter kToParameters[] = {{"self"},
                                       {"target", "other", false},
                                       {"second", nullptr, false},
                                       {"third", nullptr, false},
                                       {"fourth", nullptr, false},
                                       {"dtype", nullptr, false},
                                       {"device", nullptr, false},
                                       {"non_blocking", nullptr, false},
                                       {"copy", nullptr, false},
                                       {"memory_format", nullptr, false}};

struct Wanted {
  std::optional<DType> dtype;
  std::optional<Device> device;
  bool copy = false;
  MemoryFormat format = MemoryFormat::kPreserve;
};

void read_dtype(const Arguments& a, size_t i, Wanted& wanted) {
  DType dtype;
  if (!a.has(i)) return;
  if (!to_dtype(a[i], dtype)) a.wrong_type(i, "a dtype");
  wanted.dtype = dtype;
}

// The place of the first argument that is not part of the target.
size_t read_target(const Arguments& a, Wanted& wanted) {
  if (!a.has(kTarget)) return kTarget + (a[kTarget] != nullptr ? 1 : 0);
  DType dtype;
  Device device;
  const size_t next = kTarget + 1;
  if (to_dtype(a[kTarget], dtype)) {
    wanted.dtype = dtype;
    return next;
  }
  if (is_tensor(a[kTarget])) {
    wanted.dtype = a.tensor(kTarget).dtype();
    wanted.device = a.tensor(kTarget).device();
    return next;
  }
  if (!to_device(a[kTarget], device)) a.wrong_type(kTarget, "a dtype, a device or a Tensor");
  wanted.device = device;
  if (a[next] == nullptr || PyBool_Check(a[next])) return next;
  read_dtype(a, next, wanted);
  return next + 1;
}

Wanted read(const Arguments& a) {
  Wanted wanted;
  size_t next = read_target(a, wanted);
  // non_blocking is only checked: it allows not to wait, and waiting is always right.
  if (a[next] != nullptr) a.boolean(next++);
  if (a[next] != nullptr && next <= 4) wanted.copy = a.boolean(next++);
  if (next <= 4 && a[next] != nullptr) a.wrong_type(next, "left out");
  read_dtype(a, kDTypePlace, wanted);
  if (a.has(kDevicePlace)) wanted.device = a.device(kDevicePlace);
  if (a[kWaits] != nullptr) a.boolean(kWaits);
  wanted.copy |= a.boolean(kCopy, false);
  wanted.format = a.memory_format(kFormat, MemoryFormat::kPreserve);
  return wanted;
}

Tensor converted(const Tensor& tensor, const Wanted& wanted, CallSite at) {
  return tensor.to(TensorOptions::of(wanted.dtype, {}, wanted.device, {}), false, wanted.copy,
                   wanted.format, at);
}

}  // namespace

const Signature kTo{"to", kToParameters, 5};

PyObject* to(const Arguments& a) {
  const Wanted wanted = read(a);
  const Tensor tensor = a.tensor(kSelf);
  return run_and_wrap([&](CallSite at) { return TensorBase(converted(tensor, wanted, at)); },
                      tensor);
}

PyObject* convert(const TensorBase& input, std::optional<DType> dtype, std::optional<Device> device,
                  MemoryFormat format) {
  const Tensor tensor = input;
  const Wanted wanted{dtype, device, false, format};
  return run_and_wrap([&](CallSite at) { return TensorBase(converted(tensor, wanted, at)); },
                      tensor);
}

}  // namespace eagre::python
