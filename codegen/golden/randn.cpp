// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/randn.h
// randn: dispatch, and recording of the gradient. Generated from ops/creation.yaml:361; do not edit.
#pragma once

#include <optional>

#include <eagre/core/generator.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase randn(Dims size, Generator* generator, const TensorOptions& options, CallSite at);
EAGRE_API void randn_out(Dims size, Generator* generator, const TensorOptions& options, const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== autograd/creation_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/ops/randn.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/ops/randn.h>
#include <eagre/dispatch/ops/randn.h>
#include <eagre/dispatch/output.h>

// ---- ops/creation.yaml:361 ----
namespace eagre::ops {

namespace {
EAGRE_COLD TensorBase randn_transformed(Dims size, Generator* generator, const TensorOptions& options, CallSite at) {
  thread_state.site = at;
  TensorBase result = autograd::batch::randn(size, generator, options, at);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

namespace {
EAGRE_INLINE TensorBase randn_plainly(Dims size, Generator* generator, const TensorOptions& options, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::randn(size, generator, options);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  thread_state.site = CallSite::none();
  return result;
}
}  // namespace

TensorBase randn(Dims size, Generator* generator, const TensorOptions& options, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]] return randn_transformed(size, generator, options, at);
  return randn_plainly(size, generator, options, at);
}

void randn_out(Dims size, Generator* generator, const TensorOptions& options, const TensorBase& out, CallSite at) {
  thread_state.site = at;
  autograd::check_out("randn", out);
  autograd::before_write(out);
  dispatch::randn_out(size, generator, dispatch::options_of_out("randn", options, out), out);
  autograd::note_write(out, "randn()", at);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(out, true);
  thread_state.site = CallSite::none();
}

}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/randn.h
// randn: dispatch to kernels, without recording. Generated from ops/creation.yaml:361; do not edit.
#pragma once

#include <optional>

#include <eagre/core/generator.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase randn(Dims size, Generator* generator, const TensorOptions& options);
void randn_out(Dims size, Generator* generator, const TensorOptions& options, const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/creation_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/randn.h>
#include <eagre/dispatch/structured.h>

// ---- ops/creation.yaml:361 ----
namespace eagre::kernels::cpu {
namespace baseline {
void randn_f32(const TensorView&, RandomStretch);
void randn_f64(const TensorView&, RandomStretch);
void randn_c64(const TensorView&, RandomStretch);
void randn_c128(const TensorView&, RandomStretch);
}  // namespace baseline
namespace avx2 {
void randn_f32(const TensorView&, RandomStretch);
void randn_f64(const TensorView&, RandomStretch);
void randn_c64(const TensorView&, RandomStretch);
void randn_c128(const TensorView&, RandomStretch);
}  // namespace avx2
namespace avx512 {
void randn_f32(const TensorView&, RandomStretch);
void randn_f64(const TensorView&, RandomStretch);
void randn_c64(const TensorView&, RandomStretch);
void randn_c128(const TensorView&, RandomStretch);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
namespace randn_op {
namespace {
using Function = void(const TensorView&, RandomStretch);
constexpr TypedRow<Function> kBaseline{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::randn_f32,
     &kernels::cpu::baseline::randn_f32,
     &kernels::cpu::baseline::randn_f32,
     &kernels::cpu::baseline::randn_f64,
     &kernels::cpu::baseline::randn_c64,
     &kernels::cpu::baseline::randn_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::baseline::randn_f32,
     &kernels::cpu::baseline::randn_f64,
     &kernels::cpu::baseline::randn_c64,
     &kernels::cpu::baseline::randn_c128}};
constexpr TypedRow<Function> kAvx2{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::randn_f32,
     &kernels::cpu::avx2::randn_f32,
     &kernels::cpu::avx2::randn_f32,
     &kernels::cpu::avx2::randn_f64,
     &kernels::cpu::avx2::randn_c64,
     &kernels::cpu::avx2::randn_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx2::randn_f32,
     &kernels::cpu::avx2::randn_f64,
     &kernels::cpu::avx2::randn_c64,
     &kernels::cpu::avx2::randn_c128}};
constexpr TypedRow<Function> kAvx512{
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::randn_f32,
     &kernels::cpu::avx512::randn_f32,
     &kernels::cpu::avx512::randn_f32,
     &kernels::cpu::avx512::randn_f64,
     &kernels::cpu::avx512::randn_c64,
     &kernels::cpu::avx512::randn_c128},
    {nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     &kernels::cpu::avx512::randn_f32,
     &kernels::cpu::avx512::randn_f64,
     &kernels::cpu::avx512::randn_c64,
     &kernels::cpu::avx512::randn_c128}};
constinit OpEntry entry{"randn", "randn(int[],Generator?,Options)->Tensor", "randn", {&kBaseline, &kAvx2, &kAvx512}};

TensorBase run(Dims size, Generator* generator, const TensorOptions& options, [[maybe_unused]] const TensorBase* const* out) {
  const Device device = options.device();
  check_device(device);
  const DType compute = options.dtype();
  const DimVector sizes = meta::sizes(entry.shown, size);
  const DType result_dtype = compute;
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr) return written_to(entry, out, on_device(run(size, generator, options.device(Device()), nullptr), device));
  const DType inner = kernel_dtype(device, compute, 0x0);
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device, shared_with(*out[0]));
  const RandomStretch random = (generator == nullptr ? default_generator() : *generator).take(static_cast<uint64_t>(result.numel()));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    reinterpret_cast<Function*>(kernel)(TensorView(result.get()), random);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(random);
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
}  // namespace randn_op

OpEntry& randn_entry = randn_op::entry;

TensorBase randn(Dims size, Generator* generator, const TensorOptions& options) {
  return randn_op::run(size, generator, options, nullptr);
}

void randn_out(Dims size, Generator* generator, const TensorOptions& options, const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  randn_op::run(size, generator, options, targets);
}

}  // namespace eagre::dispatch

// ======== python/creation_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/randn.h>

#include "op_call.h"

// ---- ops/creation.yaml:361 ----
namespace eagre::python {
namespace {

namespace randn_op {

constexpr Parameter kParameters[] = {
    {"size", nullptr, true, ParameterKind::kIntegers, false},
    {"generator", nullptr, false, ParameterKind::kAny, true},
    {"dtype", nullptr, false, ParameterKind::kDType, true},
    {"device", nullptr, false, ParameterKind::kAny, true},
    {"requires_grad", nullptr, false, ParameterKind::kBool, true},
    {"layout", nullptr, false, ParameterKind::kAny, true},
    {"pin_memory", nullptr, false, ParameterKind::kBool, true},
    {"out", nullptr, false, ParameterKind::kAny, true},
};

constexpr Signature kFunction{"randn", {kParameters, 8}, 1, 0};

PyObject* run_out(const Arguments& a) {
  const DimVector size = a.ints(0);
  Generator* generator = a.generator(1);
  const TensorOptions options = a.options(2);
  const TensorVector targets = a.out(7, 1);
  return call_inplace_op(
      a[7], [&](CallSite at) { ops::randn_out(size, generator, options, targets[0], at); }, Dims(size));
}

PyObject* run(const Arguments& a) {
  if (a.has(7)) return run_out(a);
  const DimVector size = a.ints(0);
  Generator* generator = a.generator(1);
  const TensorOptions options = a.options(2);
  return call_op([&](CallSite at) { return ops::randn(size, generator, options, at); }, Dims(size));
}

}  // namespace randn_op

}  // namespace

PyObject* randn_function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(nullptr, args, count, names)) [[unlikely]]
    return override_function("randn", args, count, names);
  return guarded([&] { return randn_op::run(Arguments(randn_op::kFunction, nullptr, args, count, names)); });
}

}  // namespace eagre::python
