// Factory functions: new tensors, tensors like others, and fills in place.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/ops/fill.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/result_strides.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/diagonal.h>
#include <eagre/ops/empty.h>
#include <eagre/ops/empty_like.h>
#include <eagre/ops/empty_strided.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/fill.h>
#include <eagre/ops/fill_diagonal.h>
#include <eagre/ops/fill_tensor.h>
#include <eagre/ops/full_like.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/new_empty.h>
#include <eagre/ops/new_empty_strided.h>
#include <eagre/ops/new_full.h>
#include <eagre/ops/new_ones.h>
#include <eagre/ops/new_zeros.h>
#include <eagre/ops/ones.h>
#include <eagre/ops/ones_like.h>
#include <eagre/ops/tensor_like.h>
#include <eagre/ops/zero.h>
#include <eagre/ops/zeros.h>
#include <eagre/ops/zeros_like.h>

namespace eagre::ops {
namespace {

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
  return autograd::transforms_active() ? autograd::TransformedInputs(input).batch_level() : nullptr;
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
    const TensorBase& batch = autograd::transform_meta_of(input.get())->batch;
    return autograd::batched(allocate_like(op, batch, sizes, options), 0, *level);
  }
  return allocate(op, size, options_like(input, options));
}

}  // namespace

TensorBase uninitialized_like(const char* op, const TensorBase& input, MemoryFormat format,
                              const TensorOptions& options) {
  const TensorImpl& model = input.get(op, "input");
  if (autograd::Level* level = batch_level_of(input)) [[unlikely]] {
    const autograd::TransformMeta& meta = *autograd::transform_meta_of(model);
    const autograd::SeenLevels below(level->outer());
    // Channels are last only where there are four dimensions, but samples have one more.
    const auto chosen = format == MemoryFormat::kPreserve ? format : MemoryFormat::kContiguous;
    return autograd::batched(uninitialized_like(op, meta.batch, chosen, options), meta.batch_dim,
                             *level);
  }
  const DType dtype = options.chosen_dtype().value_or(model.key.dtype);
  const Device device = options.chosen_device().value_or(model.key.device);
  dispatch::check_device(device);
  // Where the model has holes, the order of its dimensions is kept.
  const TensorImpl* const models[] = {&model};
  const DimVector strides = format != MemoryFormat::kPreserve
                                ? strides_of(op, model.sizes(), format)
                            : model.is_dense() ? DimVector(model.strides())
                                               : dispatch::result_strides(model.sizes(), models);
  return TensorBase::adopt(new_tensor_strided(model.sizes(), strides, dtype, device));
}

TensorBase empty(Dims size, MemoryFormat memory_format, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  if (memory_format == MemoryFormat::kContiguous) [[likely]]
    return with_requires_grad(allocate("empty", size, options), options);
  checked_numel("empty", size);
  dispatch::check_device(options.device());
  const DimVector strides = strides_of("empty", size, memory_format);
  return with_requires_grad(
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
    return with_requires_grad(
        TensorBase::adopt(new_tensor_strided(size, stride, options.dtype(), options.device())),
        options);
  }
  const int64_t extent[] = {static_cast<int64_t>(bytes / item)};
  const TensorBase memory = allocate(op, extent, options);
  return with_requires_grad(
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
      return with_requires_grad(std::move(result), options);
    }
    return with_requires_grad(filled(std::move(result), 0), options);
  }
  return with_requires_grad(filled(allocate("zeros", size, options), 0), options);
}

TensorBase ones(Dims size, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(filled(allocate("ones", size, options), 1), options);
}

TensorBase empty_like(const TensorBase& input, MemoryFormat memory_format,
                      const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(uninitialized_like("empty_like", input, memory_format, options),
                            options);
}

TensorBase zeros_like(const TensorBase& input, MemoryFormat memory_format,
                      const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(
      filled(uninitialized_like("zeros_like", input, memory_format, options), 0), options);
}

TensorBase ones_like(const TensorBase& input, MemoryFormat memory_format,
                     const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(
      filled(uninitialized_like("ones_like", input, memory_format, options), 1), options);
}

TensorBase full_like(const TensorBase& input, const Scalar& fill_value, MemoryFormat memory_format,
                     const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(
      filled(uninitialized_like("full_like", input, memory_format, options), fill_value), options);
}

TensorBase new_empty(const TensorBase& input, Dims size, const TensorOptions& options,
                     CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(allocate_like("new_empty", input, size, options), options);
}

TensorBase new_empty_strided(const TensorBase& input, Dims size, Dims stride,
                             const TensorOptions& options, CallSite at) {
  if (autograd::Level* level = batch_level_of(input)) [[unlikely]] {
    const autograd::SeenLevels below(level->outer());
    const auto samples = static_cast<int64_t>(checked_extent("new_empty_strided", size, stride, 1));
    const TensorBase all = new_empty_strided(
        autograd::transform_meta_of(input.get())->batch,
        autograd::BatchCall::led_by(level->batch_size(), size),
        autograd::BatchCall::led_by(std::max<int64_t>(samples, 1), stride), options, at);
    return autograd::batched(all, 0, *level);
  }
  return empty_strided(size, stride, options_like(input, options), at);
}

TensorBase new_zeros(const TensorBase& input, Dims size, const TensorOptions& options,
                     CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(filled(allocate_like("new_zeros", input, size, options), 0), options);
}

TensorBase new_ones(const TensorBase& input, Dims size, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  return with_requires_grad(filled(allocate_like("new_ones", input, size, options), 1), options);
}

TensorBase new_full(const TensorBase& input, Dims size, const Scalar& fill_value,
                    const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = allocate_like("new_full", input, size, options);
  return with_requires_grad(filled(std::move(result), fill_value), options);
}

TensorBase fill_tensor(const TensorBase& input, const TensorBase& value, CallSite at) {
  const SiteScope scope(at);
  if (value.dim() != 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"fill", "value", "a number or a 0-dim tensor",
                          concat("shape ", value.sizes())});
  }
  // `input` may be the same for all samples of a batch that `value` is not the same for.
  if (autograd::are_transformed(value)) {
    return clone(expand(cast(value, input.dtype(), at), input.sizes(), at), at);
  }
  TensorBase result = clone(input, at);
  copy_(result, value, false, at);
  return result;
}

void zero_(const TensorBase& input, CallSite at) {
  fill_(input, 0, at);
  input.get().version->last_op.store("zero_()", std::memory_order_relaxed);
}

void fill_diagonal_(const TensorBase& input, const Scalar& fill_value, bool wrap, CallSite at) {
  const SiteScope scope(at);
  const Dims sizes = input.sizes();
  EAGRE_CHECK(sizes.size() >= 2, kInvalidArgument,
              "fill_diagonal_(): argument 'input' must have at least 2 dimensions, but got shape ",
              sizes);
  if (sizes.size() > 2) {
    const bool is_cube =
        std::all_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size == sizes[0]; });
    EAGRE_CHECK(is_cube, kInvalidArgument,
                "fill_diagonal_(): all dimensions of 'input' must be of equal length, but got "
                "shape ",
                sizes);
    TensorBase line = input;
    while (line.dim() > 1) line = diagonal(line, 0, 0, 1, at);
    return fill_(line, fill_value, at);
  }
  const int64_t height = sizes[0];
  const int64_t width = sizes[1];
  const bool goes_on = wrap && width > 0;
  // After the end of a diagonal one row is left out.
  for (int64_t row = 0; row == 0 || (goes_on && row < height); row += width + 1) {
    const TensorBase square = row == 0 ? input : narrow(input, 0, row, height - row, at);
    fill_(diagonal(square, 0, 0, 1, at), fill_value, at);
  }
}

}  // namespace eagre::ops
