// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/full.h
// full: dispatch, and recording of the gradient. Generated from ops/creation.yaml:321; do not edit.
#pragma once

#include <optional>

#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options, CallSite at);
EAGRE_API void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== autograd/creation_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/full.h>
#include <eagre/dispatch/output.h>

// ---- ops/creation.yaml:321 ----
namespace eagre::ops {

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::full(size, fill_value, options);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  thread_state.site = CallSite::none();
  return result;
}

void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options, const TensorBase& out, CallSite at) {
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
// full: dispatch to kernels, without recording. Generated from ops/creation.yaml:321; do not edit.
#pragma once

#include <optional>

#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options);
void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/creation_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/full.h>
#include <eagre/dispatch/structured.h>

// ---- ops/creation.yaml:321 ----
namespace eagre::kernels::cpu {
namespace baseline {
void full_bool(const TensorView&, const Scalar&);
void full_u8(const TensorView&, const Scalar&);
void full_i8(const TensorView&, const Scalar&);
void full_i16(const TensorView&, const Scalar&);
void full_i32(const TensorView&, const Scalar&);
void full_i64(const TensorView&, const Scalar&);
void full_u16(const TensorView&, const Scalar&);
void full_u32(const TensorView&, const Scalar&);
void full_u64(const TensorView&, const Scalar&);
void full_f16(const TensorView&, const Scalar&);
void full_bf16(const TensorView&, const Scalar&);
void full_f32(const TensorView&, const Scalar&);
void full_f64(const TensorView&, const Scalar&);
void full_c64(const TensorView&, const Scalar&);
void full_c128(const TensorView&, const Scalar&);
}  // namespace baseline
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace full_op {
namespace {
using Function = void(const TensorView&, const Scalar&);
constexpr TypedRow<Function> kBaseline{
    {&kernels::cpu::baseline::full_bool,
     &kernels::cpu::baseline::full_u8,
     &kernels::cpu::baseline::full_i8,
     &kernels::cpu::baseline::full_i16,
     &kernels::cpu::baseline::full_i32,
     &kernels::cpu::baseline::full_i64,
     &kernels::cpu::baseline::full_u16,
     &kernels::cpu::baseline::full_u32,
     &kernels::cpu::baseline::full_u64,
     &kernels::cpu::baseline::full_f16,
     &kernels::cpu::baseline::full_bf16,
     &kernels::cpu::baseline::full_f32,
     &kernels::cpu::baseline::full_f64,
     &kernels::cpu::baseline::full_c64,
     &kernels::cpu::baseline::full_c128},
    {&kernels::cpu::baseline::full_bool,
     &kernels::cpu::baseline::full_u8,
     &kernels::cpu::baseline::full_i8,
     &kernels::cpu::baseline::full_i16,
     &kernels::cpu::baseline::full_i32,
     &kernels::cpu::baseline::full_i64,
     &kernels::cpu::baseline::full_u16,
     &kernels::cpu::baseline::full_u32,
     &kernels::cpu::baseline::full_u64,
     &kernels::cpu::baseline::full_f16,
     &kernels::cpu::baseline::full_bf16,
     &kernels::cpu::baseline::full_f32,
     &kernels::cpu::baseline::full_f64,
     &kernels::cpu::baseline::full_c64,
     &kernels::cpu::baseline::full_c128}};
constinit OpEntry entry{"full", "full(int[],Scalar,Options)->Tensor", "full", {&kBaseline, &kBaseline, &kBaseline}};

TensorBase run(Dims size, const Scalar& fill_value, const TensorOptions& options, [[maybe_unused]] const TensorBase* const* out) {
  const Device device = options.device();
  check_device(device);
  const DType compute = options.chosen_dtype().value_or(dtype_of(fill_value));
  const DimVector sizes = meta::full(entry.shown, size, fill_value, options);
  const DType result_dtype = compute;
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr) return written_to(entry, out, on_device(run(size, fill_value, options.device(Device()), nullptr), device));
  const DType inner = compute;
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device, shared_with(*out[0]));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    reinterpret_cast<Function*>(kernel)(TensorView(result.get()), fill_value);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(fill_value);
    args.call(entry, device, kernel);
  }
  check_values(entry, result.get());
  if (out != nullptr) {
    write_out(entry, *out[0], result);
    return result;
  }
  return as_dtype(result, result_dtype);
}

}  // namespace
}  // namespace full_op

OpEntry& full_entry = full_op::entry;

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options) {
  return full_op::run(size, fill_value, options, nullptr);
}

void full_out(Dims size, const Scalar& fill_value, const TensorOptions& options, const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  full_op::run(size, fill_value, options, targets);
}

}  // namespace eagre::dispatch

// ======== kernels/once/full.cpp
// The kernel 'full' for every dtype. Generated from ops/creation.yaml:321; do not edit.
#include <eagre/kernels/cpu/typed/full.h>

namespace eagre::kernels::cpu::baseline {

void full_bool(const TensorView& p0, const Scalar& p1) {
  typed::full<bool>(p0, p1);
}
void full_u8(const TensorView& p0, const Scalar& p1) {
  typed::full<uint8_t>(p0, p1);
}
void full_i8(const TensorView& p0, const Scalar& p1) {
  typed::full<int8_t>(p0, p1);
}
void full_i16(const TensorView& p0, const Scalar& p1) {
  typed::full<int16_t>(p0, p1);
}
void full_i32(const TensorView& p0, const Scalar& p1) {
  typed::full<int32_t>(p0, p1);
}
void full_i64(const TensorView& p0, const Scalar& p1) {
  typed::full<int64_t>(p0, p1);
}
void full_u16(const TensorView& p0, const Scalar& p1) {
  typed::full<uint16_t>(p0, p1);
}
void full_u32(const TensorView& p0, const Scalar& p1) {
  typed::full<uint32_t>(p0, p1);
}
void full_u64(const TensorView& p0, const Scalar& p1) {
  typed::full<uint64_t>(p0, p1);
}
void full_f16(const TensorView& p0, const Scalar& p1) {
  typed::full<Half>(p0, p1);
}
void full_bf16(const TensorView& p0, const Scalar& p1) {
  typed::full<BFloat16>(p0, p1);
}
void full_f32(const TensorView& p0, const Scalar& p1) {
  typed::full<float>(p0, p1);
}
void full_f64(const TensorView& p0, const Scalar& p1) {
  typed::full<double>(p0, p1);
}
void full_c64(const TensorView& p0, const Scalar& p1) {
  typed::full<Complex<float>>(p0, p1);
}
void full_c128(const TensorView& p0, const Scalar& p1) {
  typed::full<Complex<double>>(p0, p1);
}

}  // namespace eagre::kernels::cpu::baseline

// ======== python/creation_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/full.h>

#include "op_call.h"

// ---- ops/creation.yaml:321 ----
namespace eagre::python {
namespace {

namespace full_op {

constexpr Parameter kParameters[] = {
    {"size", nullptr, true, ParameterKind::kIntegers, false},
    {"fill_value", nullptr, true, ParameterKind::kNumber, false},
    {"dtype", nullptr, false, ParameterKind::kDType, true},
    {"device", nullptr, false, ParameterKind::kAny, true},
    {"requires_grad", nullptr, false, ParameterKind::kBool, true},
    {"layout", nullptr, false, ParameterKind::kAny, true},
    {"pin_memory", nullptr, false, ParameterKind::kBool, true},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"full", {kParameters, 8}, 2, -1};

PyObject* run_out(const Arguments& a) {
  const DimVector size = a.ints(0);
  const Scalar fill_value = a.scalar(1);
  const TensorOptions options = a.options(2);
  const TensorVector targets = a.out(7, 1);
  return call_inplace_op(
      a[7], [&](CallSite at) { ops::full_out(size, fill_value, options, targets[0], at); }, Dims(size));
}

PyObject* run(const Arguments& a) {
  if (a.has(7)) return run_out(a);
  const DimVector size = a.ints(0);
  const Scalar fill_value = a.scalar(1);
  const TensorOptions options = a.options(2);
  return call_op([&](CallSite at) { return ops::full(size, fill_value, options, at); }, Dims(size));
}

}  // namespace full_op

}  // namespace

PyObject* full_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("full", args, count, names);
  return guarded([&] { return full_op::run(Arguments(full_op::kFunction, nullptr, args, count, names)); });
}

}  // namespace eagre::python
