// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/full.h
// full: dispatch, and recording of the gradient. Generated from ops/creation.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options, CallSite at);

}  // namespace eagre::ops

// ======== autograd/full.cpp
// full: recording. Generated from ops/creation.yaml:3; do not edit.
#include <eagre/autograd/ops/full.h>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/full.h>

namespace eagre::ops {

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::full(size, fill_value, options);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/full.h
// full: dispatch to kernels, without recording. Generated from ops/creation.yaml:3; do not edit.
#pragma once

#include <optional>

#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options);

}  // namespace eagre::dispatch

// ======== dispatch/full.cpp
// full: dispatch to kernels. Generated from ops/creation.yaml:3; do not edit.
#include <eagre/dispatch/ops/full.h>

#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/structured.h>

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
}  // namespace baseline
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
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
     &kernels::cpu::baseline::full_f64},
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
     &kernels::cpu::baseline::full_f64}};
constinit OpEntry entry{"full", "full(int[],Scalar,Options)->Tensor", {&kBaseline, &kBaseline, &kBaseline}};
}  // namespace

OpEntry& full_entry = entry;

TensorBase full(Dims size, const Scalar& fill_value, const TensorOptions& options) {
  const Device device = options.device();
  check_device(device);
  const DType compute = options.chosen_dtype().value_or(dtype_of(fill_value));
  const DimVector sizes = meta::sizes(entry.name, size);
  const Kernel kernel = select_kernel(entry, device, compute);
  const DType inner = compute;
  if (kernel == nullptr) return on_device(full(size, fill_value, options.device(Device())), device);
  TensorBase result = allocate(sizes, inner, device);
  if (device.is_cpu()) {
    reinterpret_cast<Function*>(kernel)(TensorView(result.get()), fill_value);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(fill_value);
    args.call(entry, device, kernel);
  }
  return as_dtype(result, compute);
}

}  // namespace eagre::dispatch
