// Tensors from nothing, or in the likeness of others.
#include <algorithm>
#include <cstring>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/ops/empty.h>
#include <eagre/autograd/ops/empty_like.h>
#include <eagre/autograd/ops/empty_strided.h>
#include <eagre/autograd/ops/fill.h>
#include <eagre/autograd/ops/full_like.h>
#include <eagre/autograd/ops/new_empty.h>
#include <eagre/autograd/ops/new_empty_strided.h>
#include <eagre/autograd/ops/new_full.h>
#include <eagre/autograd/ops/new_ones.h>
#include <eagre/autograd/ops/new_zeros.h>
#include <eagre/autograd/ops/normal.h>
#include <eagre/autograd/ops/ones.h>
#include <eagre/autograd/ops/ones_like.h>
#include <eagre/autograd/ops/rand_like.h>
#include <eagre/autograd/ops/randn_like.h>
#include <eagre/autograd/ops/uniform.h>
#include <eagre/autograd/ops/zeros.h>
#include <eagre/autograd/ops/zeros_like.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>
#include <eagre/dispatch/ops/fill.h>
#include <eagre/dispatch/ops/normal.h>
#include <eagre/dispatch/ops/uniform.h>
#include <eagre/dispatch/plugin.h>

namespace eagre::ops {
namespace {

// The end of all of them.
EAGRE_INLINE TensorBase finished(TensorBase result, const TensorOptions& options) {
  if (options.requires_grad_is_set()) [[unlikely]]
    autograd::set_requires_grad(result, true);
  return result;
}

EAGRE_INLINE TensorBase allocate(const char* op, Dims size, const TensorOptions& options) {
  const Device device = options.device();
  if (!device.is_cpu()) [[unlikely]]
    dispatch::check_device(device);
  checked_numel(op, size);
  return TensorBase::adopt(new_tensor(size, options.dtype(), device));
}

TensorBase filled(TensorBase result, const Scalar& value) {
  if (autograd::transforms_active()) [[unlikely]] {
    fill_(result, value, thread_state.site);
  } else {
    dispatch::fill_(result, value);
  }
  return result;
}

// What is made in the likeness of a batch is one.
autograd::Level* batch_level_of(const TensorBase& input) {
  return autograd::transforms_active() ? autograd::Carriers(input).batch_level() : nullptr;
}

TensorBase like(const char* op, const TensorBase& input, MemoryFormat format,
                const TensorOptions& options) {
  const TensorImpl& model = input.get(op, "input");
  if (autograd::Level* level = batch_level_of(input)) [[unlikely]] {
    const autograd::Carried& carried = *autograd::carried_by(model);
    const autograd::SeenLevels below(level->outer());
    // Channels are last only where there are four dimensions, but samples have one more.
    const auto chosen = format == MemoryFormat::kPreserve ? format : MemoryFormat::kContiguous;
    return autograd::batched(like(op, carried.batch, chosen, options), carried.batch_dim, *level);
  }
  const DType dtype = options.chosen_dtype().value_or(model.key.dtype);
  const Device device = options.chosen_device().value_or(model.key.device);
  dispatch::check_device(device);
  const bool keeps = format == MemoryFormat::kPreserve && model.is_dense();
  const DimVector strides =
      keeps ? DimVector(model.strides()) : strides_of(op, model.sizes(), format);
  return TensorBase::adopt(new_tensor_strided(model.sizes(), strides, dtype, device));
}

// What the user chose, and the model's dtype and device for the rest.
TensorOptions options_like(const TensorBase& input, const TensorOptions& options) {
  return options.dtype(options.chosen_dtype().value_or(input.dtype()))
      .device(options.chosen_device().value_or(input.device()));
}

// Memory for new_*(): as many samples as `input` has.
TensorBase allocate_like(const char* op, const TensorBase& input, Dims size,
                         const TensorOptions& options) {
  if (autograd::Level* level = batch_level_of(input)) [[unlikely]] {
    const autograd::SeenLevels below(level->outer());
    const DimVector sizes = autograd::BatchCall::led_by(level->batch_size(), size);
    const TensorBase& batch = autograd::carried_by(input.get())->batch;
    return autograd::batched(allocate_like(op, batch, sizes, options), 0, *level);
  }
  return allocate(op, size, options_like(input, options));
}

}  // namespace

TensorBase empty(Dims size, MemoryFormat memory_format, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  if (memory_format == MemoryFormat::kContiguous) [[likely]]
    return finished(allocate("empty", size, options), options);
  checked_numel("empty", size);
  dispatch::check_device(options.device());
  const DimVector strides = strides_of("empty", size, memory_format);
  return finished(
      TensorBase::adopt(new_tensor_strided(size, strides, options.dtype(), options.device())),
      options);
}

TensorBase empty_strided(Dims size, Dims stride, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "empty_strided";
  checked_numel(op, size);
  dispatch::check_device(options.device());
  const size_t item = element_size(options.dtype());
  const size_t bytes = checked_extent(op, size, stride, item);
  if (is_dense(size, stride)) {
    return finished(
        TensorBase::adopt(new_tensor_strided(size, stride, options.dtype(), options.device())),
        options);
  }
  const int64_t extent[] = {static_cast<int64_t>(bytes / item)};
  const TensorBase memory = allocate(op, extent, options);
  return finished(
      TensorBase::adopt(new_tensor_on(IntrusivePtr<Storage>::share(memory.get().storage), size,
                                      stride, options.dtype())),
      options);
}

TensorBase zeros(Dims size, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  if (options.device().is_cpu()) [[likely]] {
    TensorBase result = allocate("zeros", size, options);
    const TensorImpl& impl = result.get();
    if (impl.is_small_contiguous()) {  // zeros of every dtype are zero bytes
      std::memset(impl.data(), 0, static_cast<size_t>(impl.numel) * element_size(impl.key.dtype));
      return finished(std::move(result), options);
    }
    return finished(filled(std::move(result), 0), options);
  }
  return finished(filled(allocate("zeros", size, options), 0), options);
}

TensorBase ones(Dims size, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return finished(filled(allocate("ones", size, options), 1), options);
}

TensorBase empty_like(const TensorBase& input, MemoryFormat memory_format,
                      const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return finished(like("empty_like", input, memory_format, options), options);
}

TensorBase zeros_like(const TensorBase& input, MemoryFormat memory_format,
                      const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return finished(filled(like("zeros_like", input, memory_format, options), 0), options);
}

TensorBase ones_like(const TensorBase& input, MemoryFormat memory_format,
                     const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return finished(filled(like("ones_like", input, memory_format, options), 1), options);
}

TensorBase full_like(const TensorBase& input, const Scalar& fill_value, MemoryFormat memory_format,
                     const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return finished(filled(like("full_like", input, memory_format, options), fill_value), options);
}

TensorBase rand_like(const TensorBase& input, MemoryFormat memory_format,
                     const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = like("rand_like", input, memory_format, options);
  if (autograd::transforms_active()) {
    result = uniform(result, 0, 1, nullptr, at);  // may be a batch where `input` is none
  } else {
    dispatch::uniform_(result, 0, 1, nullptr);
  }
  return finished(std::move(result), options);
}

TensorBase randn_like(const TensorBase& input, MemoryFormat memory_format,
                      const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = like("randn_like", input, memory_format, options);
  if (autograd::transforms_active()) {
    result = normal(result, 0, 1, nullptr, at);
  } else {
    dispatch::normal_(result, 0, 1, nullptr);
  }
  return finished(std::move(result), options);
}

TensorBase new_empty(const TensorBase& input, Dims size, const TensorOptions& options,
                     CallSite at) {
  const SiteScope scope(at);
  return finished(allocate_like("new_empty", input, size, options), options);
}

TensorBase new_empty_strided(const TensorBase& input, Dims size, Dims stride,
                             const TensorOptions& options, CallSite at) {
  if (autograd::Level* level = batch_level_of(input)) [[unlikely]] {
    const autograd::SeenLevels below(level->outer());
    const auto samples = static_cast<int64_t>(checked_extent("new_empty_strided", size, stride, 1));
    const TensorBase all = new_empty_strided(
        autograd::carried_by(input.get())->batch,
        autograd::BatchCall::led_by(level->batch_size(), size),
        autograd::BatchCall::led_by(std::max<int64_t>(samples, 1), stride), options, at);
    return autograd::batched(all, 0, *level);
  }
  return empty_strided(size, stride, options_like(input, options), at);
}

TensorBase new_zeros(const TensorBase& input, Dims size, const TensorOptions& options,
                     CallSite at) {
  const SiteScope scope(at);
  return finished(filled(allocate_like("new_zeros", input, size, options), 0), options);
}

TensorBase new_ones(const TensorBase& input, Dims size, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return finished(filled(allocate_like("new_ones", input, size, options), 1), options);
}

TensorBase new_full(const TensorBase& input, Dims size, const Scalar& fill_value,
                    const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = allocate_like("new_full", input, size, options);
  return finished(filled(std::move(result), fill_value), options);
}

}  // namespace eagre::ops
