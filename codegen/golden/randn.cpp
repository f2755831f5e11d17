// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/randn.h
// randn: dispatch, and recording of the gradient. Generated from ops/random.yaml:25; do not edit.
#pragma once

#include <optional>

#include <eagre/core/generator.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API TensorBase randn(Dims size, Generator* generator, const TensorOptions& options,
                           CallSite at);
EAGRE_API void randn_out(Dims size, Generator* generator, const TensorOptions& options,
                         const TensorBase& out, CallSite at);

}  // namespace eagre::ops

// ======== ops/random_0.cpp
// Recording of operators. Generated from the op records; do not edit.
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/dispatch/ops/randn.h>
#include <eagre/dispatch/output.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/randn.h>

namespace eagre::ops {
using namespace autograd;

// ---- ops/random.yaml:25 ----
namespace {
TensorBase randn_batched(Dims size, Generator* generator, const TensorOptions& options,
                         CallSite at) {
  Level* const level = random_level("randn");
  if (level == nullptr) return dispatch::randn(size, generator, options);
  const BatchCall call("randn", level, at);
  return call.result(ops::randn(call.sized(size), generator, options, at));
}

template <bool kTransformed>
EAGRE_INLINE TensorBase randn_recorded(Dims size, Generator* generator,
                                       const TensorOptions& options, CallSite at) {
  thread_state.site = at;
  TensorBase result = kTransformed ? randn_batched(size, generator, options, at) : dispatch::randn(
      size, generator, options);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  thread_state.site = CallSite::none();
  return result;
}
EAGRE_COLD TensorBase randn_transformed(Dims size, Generator* generator,
                                        const TensorOptions& options, CallSite at) {
  return randn_recorded<true>(size, generator, options, at);
}
}  // namespace

TensorBase randn(Dims size, Generator* generator, const TensorOptions& options, CallSite at) {
  if (autograd::transforms_active()) [[unlikely]]
    return randn_transformed(size, generator, options, at);
  return randn_recorded<false>(size, generator, options, at);
}

void randn_out(Dims size, Generator* generator, const TensorOptions& options, const TensorBase& out,
               CallSite at) {
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
// randn: dispatch to kernels, without recording. Generated from ops/random.yaml:25; do not edit.
#pragma once

#include <optional>

#include <eagre/core/generator.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_base.h>

namespace eagre::dispatch {

TensorBase randn(Dims size, Generator* generator, const TensorOptions& options);
void randn_out(Dims size, Generator* generator, const TensorOptions& options,
               const TensorBase& out);

}  // namespace eagre::dispatch

// ======== dispatch/random_0.cpp
// Dispatch to kernels. Generated from the op records; do not edit.
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/randn.h>
#include <eagre/dispatch/structured.h>

namespace eagre::kernels::cpu::avx2 {
extern const KernelTable<void(const TensorView&, RandomStretch)> randn_kernels;
}  // namespace eagre::kernels::cpu::avx2

namespace eagre::kernels::cpu::avx512 {
extern const KernelTable<void(const TensorView&, RandomStretch)> randn_kernels;
}  // namespace eagre::kernels::cpu::avx512

namespace eagre::kernels::cpu::baseline {
extern const KernelTable<void(const TensorView&, RandomStretch)> randn_kernels;
}  // namespace eagre::kernels::cpu::baseline

namespace eagre::dispatch {

// ---- ops/random.yaml:25 ----
constinit OpEntry randn_op{
    .name = "randn",
    .signature = "randn(Generator?)->Tensor",
    .public_name = "randn",
    .dtypes = dtypes::kFloats | dtypes::kComplex,
    .cpu = {baseline::randn_kernels, avx2::randn_kernels, avx512::randn_kernels}};
namespace {
TensorBase run_randn(Dims size, Generator* generator, const TensorOptions& options,
                     const TensorBase* const* out) {
  OpEntry& entry = randn_op;
  const Device device = options.device();
  check_device(device);
  const DType compute = options.dtype();
  const DimVector sizes = meta::sizes(entry.public_name, size);
  const DType result_dtype = compute;
  const Kernel kernel = select_kernel(entry, device, compute);
  if (device.is_meta()) return written_to(entry, out, allocate(sizes, result_dtype, device));
  if (kernel == nullptr)
    return written_to(entry, out,
                      on_device(randn(size, generator, options.device(Device())), device));
  const DType inner = kernel_dtype(device, compute, entry.native);
  TensorBase result = out == nullptr ? allocate(sizes, inner, device)
      : out_memory(entry, *out[0], sizes, inner, result_dtype, device, shared_with(*out[0]));
  const RandomStretch random = (generator == nullptr ? default_generator() : *generator).take(
      static_cast<uint64_t>(result.get().numel));
  trace(entry, device, compute);
  if (device.is_cpu()) {
    as_in(baseline::randn_kernels, kernel)(TensorView(result.get()), random);
  } else {
    PluginArgs args;
    args.add(result.get());
    args.add(random);
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

TensorBase randn(Dims size, Generator* generator, const TensorOptions& options) {
  return run_randn(size, generator, options, nullptr);
}
void randn_out(Dims size, Generator* generator, const TensorOptions& options,
               const TensorBase& out) {
  const TensorBase* const targets[] = {&out};
  run_randn(size, generator, options, targets);
}

}  // namespace eagre::dispatch

// ======== kernels/isa/randn.cpp
// The kernel 'randn' for every dtype. Generated from ops/random.yaml:25; do not edit.
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/random.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
using Kernels = KernelTable<void(const TensorView&, RandomStretch)>;
extern constinit const Kernels randn_kernels =
    Kernels::each<float, double, Complex<float>, Complex<double>>(
        []<class T>() -> Kernels::Always<T>* { return &random<scalar::Randn, T>; });
}  // namespace eagre::kernels::cpu::EAGRE_ISA

// ======== python/random_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/randn.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/random.yaml:25 ----
namespace {
namespace randn_op {
constexpr Parameter kParameters[] = {
    {.name = "size", .kind = ParameterKind::kIntegers},
    {.name = "generator", .required = false, .may_be_none = true},
    kDTypeOption, kDeviceOption, kRequiresGradOption, kLayoutOption, kPinMemoryOption,
    kOutParameter,
};
constexpr Signature kFunction{.op = "randn", .parameters = {kParameters, 8}, .positional = 1,
                              .variadic = 0};

template <Form kForm>
PyObject* run(const Arguments& a) {
  if (kForm == Form::kNew && a.has(7)) return run<Form::kOut>(a);
  const DimVector size = a.ints(0);
  Generator* generator = a.generator(1);
  const TensorOptions options = a.options(2);
  if constexpr (kForm == Form::kNew) {
    return run_and_wrap([&](CallSite at) { return ops::randn(size, generator, options, at); },
                        Dims(size));
  } else {
    const TensorVector targets = a.out(7, 1);
    return call_inplace_op(
        a[7], [&](CallSite at) { ops::randn_out(size, generator, options, targets[0], at); },
        Dims(size));
  }
}
}  // namespace randn_op
}  // namespace

extern const PyMethodDef random_0_functions[] = {
    op_function<randn_op::kFunction, randn_op::run<Form::kNew>>(
        "randn", "randn(*size, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, out=None)\n--\n\nNumbers from the normal distribution with mean 0 and variance 1.\n\n>>> generator = eagre.manual_seed(0)\n>>> eagre.randn(2, 3).shape\neagre.Size([2, 3])"),
    {}};

extern const PyMethodDef random_0_methods[] = {
    {}};

}  // namespace eagre::python
