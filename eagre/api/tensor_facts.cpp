// What the public tensor says of itself: the longer answers.
#include <eagre/api/tensor_facts.h>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre {

void raise_other_element(const char* op, DType held, DType wanted, CallSite at) {
  const SiteScope scope(at);
  raise(ErrorKind::kType,
        concat(op, "(): the tensor holds ", held, ", but ", wanted, " was asked for"));
}

TensorOptions TensorFacts::options() const { return TensorOptions(dtype()).device(device()); }

bool TensorFacts::is_contiguous(MemoryFormat format) const {
  return format == MemoryFormat::kChannelsLast ? is_channels_last(sizes(), strides())
                                               : get().is_contiguous();
}

MemoryFormat TensorFacts::suggest_memory_format() const {
  return suggests_channels_last(sizes(), strides()) ? MemoryFormat::kChannelsLast
                                                    : MemoryFormat::kContiguous;
}

bool TensorFacts::is_non_overlapping_and_dense() const { return is_dense(sizes(), strides()); }

bool TensorFacts::is_cuda() const { return device().is_cuda(); }

bool TensorFacts::is_set_to(const TensorBase& other) const {
  return is_alias_of(other) && storage_offset() == other.storage_offset() &&
         sizes() == other.sizes() && strides() == other.strides();
}

void* TensorFacts::no_memory(CallSite at) const {
  const SiteScope scope(at);
  return TensorBase::data_ptr();  // which says why there is none
}

}  // namespace eagre
