// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/rand.h
// rand: dispatch, and recording of the gradient. Generated from ops/creation.yaml:20; do not edit.
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/generator.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

EAGRE_API TensorBase rand(Dims size, Generator* generator, const TensorOptions& options, CallSite at);

}  // namespace eagre::ops

// ======== autograd/rand.cpp
// rand: recording. Generated from ops/creation.yaml:20; do not edit.
#include <eagre/autograd/ops/rand.h>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/recording.h>
#include <eagre/dispatch/ops/rand.h>

namespace eagre::ops {

TensorBase rand(Dims size, Generator* generator, const TensorOptions& options, CallSite at) {
  thread_state.site = at;
  TensorBase result = dispatch::rand(size, generator, options);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  thread_state.site = CallSite::none();
  return result;
}


}  // namespace eagre::ops

// ======== include/eagre/dispatch/ops/rand.h
// rand: dispatch to kernels, without recording. Generated from ops/creation.yaml:20; do not edit.
#pragma once

#include <optional>

#include <eagre/core/generator.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase rand(Dims size, Generator* generator, const TensorOptions& options);

}  // namespace eagre::dispatch

// ======== dispatch/rand.cpp
// rand: dispatch to kernels. Generated from ops/creation.yaml:20; do not edit.
#include <eagre/dispatch/ops/rand.h>

#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/structured.h>

namespace eagre::kernels::cpu {
namespace baseline {
void uniform_f32(const TensorView&, RandomStretch);
void uniform_f64(const TensorView&, RandomStretch);
}  // namespace baseline
namespace avx2 {
void uniform_f32(const TensorView&, RandomStretch);
void uniform_f64(const TensorView&, RandomStretch);
}  // namespace avx2
namespace avx512 {
void uniform_f32(const TensorView&, RandomStretch);
void uniform_f64(const TensorView&, RandomStretch);
}  // namespace avx512
}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {
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
     &kernels::cpu::baseline::uniform_f32,
     &kernels::cpu::baseline::uniform_f32,
     &kernels::cpu::baseline::uniform_f32,
     &kernels::cpu::baseline::uniform_f64},
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
     &kernels::cpu::baseline::uniform_f32,
     &kernels::cpu::baseline::uniform_f64}};
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
     &kernels::cpu::avx2::uniform_f32,
     &kernels::cpu::avx2::uniform_f32,
     &kernels::cpu::avx2::uniform_f32,
     &kernels::cpu::avx2::uniform_f64},
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
     &kernels::cpu::avx2::uniform_f32,
     &kernels::cpu::avx2::uniform_f64}};
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
     &kernels::cpu::avx512::uniform_f32,
     &kernels::cpu::avx512::uniform_f32,
     &kernels::cpu::avx512::uniform_f32,
     &kernels::cpu::avx512::uniform_f64},
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
     &kernels::cpu::avx512::uniform_f32,
     &kernels::cpu::avx512::uniform_f64}};
constinit OpEntry entry{"rand", "rand(int[],Generator?,Options)->Tensor", {&kBaseline, &kAvx2, &kAvx512}};
}  // namespace

OpEntry& rand_entry = entry;

TensorBase rand(Dims size, Generator* generator, const TensorOptions& options) {
  const Device device = options.device();
  check_device(device);
  const DType compute = options.dtype();
  const DimVector sizes = meta::sizes(entry.name, size);
  const Kernel kernel = select_kernel(entry, device, compute);
  const DType inner = kernel_dtype(device, compute);
  if (kernel == nullptr) return on_device(rand(size, generator, options.device(Device())), device);
  TensorBase result = allocate(sizes, inner, device);
  const RandomStretch random = (generator == nullptr ? default_generator() : *generator).take(static_cast<uint64_t>(result.numel()));
  if (device.is_cpu()) {
    reinterpret_cast<Function*>(kernel)(TensorView(result.get()), random);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(random);
    args.call(entry, device, kernel);
  }
  return as_dtype(result, compute);
}

}  // namespace eagre::dispatch
