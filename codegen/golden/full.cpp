// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/full.h
// full: dispatch, and recording of the gradient. Generated from ops/creation.yaml:57; do not edit.
#pragma once

#include <optional>

#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options,
                          CallSite at);
EAGRE_API void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options,
                        const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== ops/creation_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/dispatch/ops/full.h>
#include <eagre/dispatch/output.h>
#include <eagre/ops/full.h>

namespace eagre::ops {

// ---- ops/creation.yaml:57 ----
TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::full(size, fill_value, options);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  thread_state.site = CallSite::none();
  return result;
}

void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options,
              const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("full", out);
  autograd::before_write(out);
  dispatch::full_out(size, fill_value, dispatch::options_of_out("full", options, out), out);
  autograd::note_write(out, "full()", at);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(out, true);
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/full.h
// full: dispatch to kernels, without recording. Generated from ops/creation.yaml:57; do not edit.
#pragma once

#include <optional>

#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options);
void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options,
              const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/creation_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/full.h>
#include <eagre/dispatch/structured.h>

namespace eagre::kernels::cpu::baseline {
extern const KernelTable<void(const TensorView&, const Scalar&)> full_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/creation.yaml:57 ----
constinit OpEntry full_op{
    .name = "full",
    .signature = "full(Scalar)->Tensor",
    .public_name = "full",
    .dtypes = dtypes::kAll,
    .native = dtypes::kAll,
    .cpu = {baseline::full_kernels}};
namespace {
TensorBase run_full(Dims size, const Scalar& fill_value, const TensorOptions& options,
                    const TensorBase* const* out) {
  OpEntry& entry = full_op;
  const Device device = options.device();
  check_device(device);
  const DType compute = options.chosen_dtype().value_or(dtype_of(fill_value));
  const DimVector sizes = meta::full(entry.public_name, size, fill_value, options);
  const DType result_dtype = compute;
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr)
    return written_to(entry, out,
                      on_device(full(size, fill_value, options.device(Device())), device));
  const DType inner = compute;
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device, shared_with(*out[0]));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    as_in(baseline::full_kernels, kernel)(TensorView(result.get()), fill_value);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(fill_value);
    args.call(entry, device, kernel);
  }
  check_values(entry, result.get());
  if (out != nullptr) {
    write_out(entry, *out[0], as_dtype(result, result_dtype));
    return result;
  }
  return as_dtype(std::move(result), result_dtype);
}
}  // namespace

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options) {
  return run_full(size, fill_value, options, nullptr);
}
void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options,
              const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  run_full(size, fill_value, options, targets);
}

}  // namespace eagre::dispatch

// ======== kernels/once/full.cpp
// The kernel 'full' for every dtype. Generated from ops/creation.yaml:57; do not edit.
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/generate.h>

namespace eagre::kernels::cpu::baseline {
using Kernels = KernelTable<void(const TensorView&, const Scalar&)>;
extern constinit const Kernels full_kernels =
    Kernels::each<bool, uint8_t, int8_t, int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t,
                  Half, BFloat16, float, double, Complex<float>, Complex<double>, Float8_e4m3fn,
                  Float8_e5m2, Complex<Half>>(
                      []<class T>() -> Kernels::Always<T>* { return &generate<scalar::Full, T>; });
}  // namespace eagre::kernels::cpu::baseline

// ======== python/creation_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/full.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/creation.yaml:57 ----
namespace {
namespace full_op {
constexpr Parameter kParameters[] = {
    {.name = "size", .kind = ParameterKind::kIntegers},
    {.name = "fill_value", .kind = ParameterKind::kNumber},
    kDTypeOption, kDeviceOption, kRequiresGradOption, kLayoutOption, kPinMemoryOption,
    kOutParameter,
};
constexpr Signature kFunction{.op = "full", .parameters = {kParameters, 8}, .positional = 2};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(7)) return run<Form::kOut>(a);
  const DimVector size = a.ints(0);
  const Scalar fill_value = a.scalar(1);
  const TensorOptions options = a.options(2);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::full(size, fill_value, options, at); },
                        Dims(size));
  } else {
    const TensorVector targets = a.out(7, 1);
    return call_inplace_op(
        a[7], [&](CallSite at) { ops::full_out(size, fill_value, options, targets[0], at); },
        Dims(size));
  }
}
}  // namespace full_op
}  // namespace

extern const PyMethodDef creation_0_functions[] = {
    op_function<full_op::kFunction, full_op::run<Form::kNew>>(
        "full", "full(size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, out=None)\n--\n\nA tensor of shape `size` with every element `fill_value`.\n\n>>> eagre.full((2,), 3.)\ntensor([3., 3.])"),
    {}};

extern const PyMethodDef creation_0_methods[] = {
    {}};

}  // namespace eagre::python
