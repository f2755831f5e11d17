// Steps that the generated entries of operators with a dense kernel are made of.
#pragma once

#include <initializer_list>
#include <optional>

#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/core/tensor_view.h>
#include <eagre/dispatch/check_nan_inf.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/registry.h>
#include <eagre/dispatch/trace.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::dispatch {

// --- the dtype that the kernel runs in ---

struct NamedTensor {
  const TensorBase& tensor;
  const char* name;
};
// Rule `same`: all arguments have one dtype, those that are there. The first one is.
DType same_dtype(const char* op, std::initializer_list<NamedTensor> tensors);

// Rule `accumulate`: sums of bool and integers are int64.
inline DType accumulate_dtype(DType dtype) { return is_differentiable(dtype) ? dtype : kInt64; }

// Result `stats`: statistics of halves are float32.
inline DType stats_dtype(DType dtype) {
  return dtype == kFloat16 || dtype == kBFloat16 ? kFloat32 : dtype;
}

// Result `bool_or_uint8`: bool, but uint8 of uint8, as in PyTorch.
inline DType bool_or_uint8_dtype(DType dtype) { return dtype == kUInt8 ? kUInt8 : kBool; }

// Rules `promote` and `promote_float`.
inline void add_to(Promotion& promotion, const TensorBase& tensor) {
  if (tensor.defined()) promotion.add(tensor.get());
}
inline void add_to(Promotion& promotion, const Operand& operand) { promotion.add(operand); }
inline void add_to(Promotion& promotion, const Scalar& number) { promotion.add(number); }
inline void add_to(Promotion& promotion, TensorList tensors) {
  for (const TensorBase& tensor : tensors) add_to(promotion, tensor);
}
template <class... Inputs>
DType promote(const Inputs&... inputs) {
  Promotion promotion;
  (add_to(promotion, inputs), ...);
  return promotion.result();
}
template <class... Inputs>
DType promote_float(const Inputs&... inputs) {
  const DType dtype = promote(inputs...);
  return is_differentiable(dtype) ? dtype : default_dtype();
}

// What the kernel computes in: devices have kernels for every dtype, the CPU for few, and for those
// in `native`.
inline DType kernel_dtype(Device device, DType dtype, DTypeSet native) {
  if (!device.is_cpu() || native.contains(dtype)) return dtype;
  return cpu_compute_dtype(dtype);
}

// --- inputs ---

// A tensor as the kernel wants it: on its device, of its dtype (or its own), perhaps row-major.
TensorBase prepare_slowly(const TensorBase& tensor, Device device, std::optional<DType> dtype,
                          bool contiguous);
inline ReadyTensor prepare(const TensorBase& tensor, Device device, std::optional<DType> dtype,
                           bool contiguous) {
  if (!tensor.defined()) return ReadyTensor(tensor);
  const TensorImpl& impl = tensor.get();
  if (impl.key.device == device && (!dtype || impl.key.dtype == *dtype) &&
      (!contiguous || impl.is_contiguous())) [[likely]]
    return ReadyTensor(tensor);
  return ReadyTensor(prepare_slowly(tensor, device, dtype, contiguous));
}
ReadyTensors prepare(TensorList tensors, Device device, std::optional<DType> dtype,
                     bool contiguous);

// A copy if the tensor shares memory with `target`, which is about to be written.
ReadyTensor copy_if_overlapping(ReadyTensor tensor, const TensorBase& target);
ReadyTensors copy_if_overlapping(ReadyTensors tensors, const TensorBase& target);

// Layout `channels_last`: that, if one of the tensors has `spatial` dimensions behind its channels
// and those last in memory; else row-major.
MemoryFormat common_format(int64_t spatial, std::initializer_list<const TensorBase*> tensors);
// A tensor in that format, as the kernel wants all of them.
TensorBase prepare_channels_last(const TensorBase& tensor, Device device,
                                 std::optional<DType> dtype);
inline ReadyTensor prepare(const TensorBase& tensor, Device device, std::optional<DType> dtype,
                           MemoryFormat format) {
  if (format != MemoryFormat::kChannelsLast) return prepare(tensor, device, dtype, true);
  if (!tensor.defined()) return ReadyTensor(tensor);
  return ReadyTensor(prepare_channels_last(tensor, device, dtype));
}

// --- results ---

inline TensorBase allocate(Dims sizes, DType dtype, Device device) {
  return TensorBase::adopt(new_tensor(sizes, dtype, device));
}

// A result with channels last, where it has such.
TensorBase allocate(Dims sizes, DType dtype, Device device, MemoryFormat format);

// A result of the sizes of `model`, an input as the kernel takes it.
inline TensorBase allocate_like(const TensorBase& model, DType dtype, Device device) {
  const TensorImpl& impl = model.get();
  const bool is_short = impl.is_small_contiguous() && impl.key.dtype == dtype;
  return is_short ? TensorBase::adopt(new_tensor_like(impl, dtype))
                  : allocate(impl.sizes(), dtype, device);
}

// Rule `any_shape`: an out= of as many elements keeps its shape and is filled in order.
inline DimVector sizes_for(const TensorBase* const* out, DimVector sizes) {
  if (out == nullptr || (*out)->numel() != sizes[0]) return sizes;
  return (*out)->sizes();
}

// What an update works on: the tensor itself, or a copy of it as the kernel wants it.
inline ReadyTensor updated(const TensorBase& tensor, DType dtype, bool contiguous) {
  return prepare(tensor, tensor.device(), dtype, contiguous);
}

// Results that were made without regard to `out`, which gets them if it is there.
inline TensorBase written_to(const OpEntry& op, const TensorBase* const* out, TensorBase result) {
  if (out != nullptr) write_out(op, *out[0], result);
  return result;
}
template <size_t N>
std::array<TensorBase, N> written_to(const OpEntry& op, const TensorBase* const* out,
                                     std::array<TensorBase, N> results) {
  for (size_t i = 0; out != nullptr && i < N; ++i) write_out(op, *out[i], results[i]);
  return results;
}

// For a fallback: a list on another device.
TensorVector on_device(TensorList tensors, Device device);
// After a fallback: everything that came out, on the device it belongs to.
template <size_t N>
std::array<TensorBase, N> on_device(const std::array<TensorBase, N>& tensors, Device device) {
  std::array<TensorBase, N> moved;
  for (size_t i = 0; i < N; ++i) moved[i] = on_device(tensors[i], device);
  return moved;
}

}  // namespace eagre::dispatch
