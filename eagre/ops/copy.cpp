// Copies in a memory format.
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/clone_format.h>
#include <eagre/ops/contiguous.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/new_empty.h>
#include <eagre/ops/permute.h>

namespace eagre::ops {
namespace {

// Memory for as many samples as the input has, each in the format.
TensorBase empty_batch(const TensorBase& input, MemoryFormat memory_format, CallSite at) {
  const Dims sizes = input.sizes();
  if (memory_format != MemoryFormat::kChannelsLast) return new_empty(input, sizes, {}, at);
  const TensorBase rows = new_empty(input, {sizes[0], sizes[2], sizes[3], sizes[1]}, {}, at);
  return permute(rows, {0, 3, 1, 2}, at);
}

}  // namespace

TensorBase clone_format(const TensorBase& input, MemoryFormat memory_format, CallSite at) {
  const SiteScope scope(at);
  const TensorImpl& impl = input.get("clone", "input");
  if (memory_format == MemoryFormat::kPreserve) return clone(input, at);
  const DimVector strides = strides_of("clone", impl.sizes(), memory_format);
  const bool is_batch =
      autograd::transforms_active() && autograd::TransformedInputs(input).batch_level() != nullptr;
  const auto copy = is_batch ? empty_batch(input, memory_format, at)
                             : TensorBase::adopt(new_tensor_strided(
                                   impl.sizes(), strides, impl.key.dtype, impl.key.device));
  copy_(copy, input, false, at);
  return copy;
}

TensorBase contiguous(const TensorBase& input, MemoryFormat memory_format, CallSite at) {
  const SiteScope scope(at);
  const TensorImpl& impl = input.get("contiguous", "input");
  EAGRE_CHECK(memory_format != MemoryFormat::kPreserve, kInvalidArgument,
              "contiguous(): argument 'memory_format' must be contiguous_format or channels_last, "
              "but got preserve_format");
  const bool has_it = memory_format == MemoryFormat::kContiguous
                          ? impl.is_contiguous()
                          : is_channels_last(impl.sizes(), impl.strides());
  return has_it ? input : clone_format(input, memory_format, at);
}

}  // namespace eagre::ops
