// Tensors that the caller wants written: out=, and the targets of updates.
#pragma once

#include <optional>

#include <eagre/core/options.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/ready_tensors.h>
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

// Raises outside of inference mode for a tensor that was made in it.
void check_inference(const char* op, const TensorImpl& tensor);
// The same, and unless every element of the tensor has a place of its own.
void check_written(const char* op, const TensorImpl& tensor);
inline void check_written(const OpEntry& op, const TensorImpl& tensor) {
  check_written(op.public_name, tensor);
}

// Do the first and one of the others look at the same storage?
inline bool shared_with(const TensorBase& tensor, const TensorBase& other) {
  return other.defined() && other.get().storage == tensor.get().storage;
}
inline bool shared_with(const TensorBase& tensor, const ReadyTensor& other) {
  return shared_with(tensor, static_cast<const TensorBase&>(other));
}
inline bool shared_with(const TensorBase& tensor, const ReadyTensors& list) {
  const TensorList others = list;
  for (const TensorBase& other : others) {
    if (shared_with(tensor, other)) return true;
  }
  return false;
}
template <class... Others>
bool shared_with(const TensorBase& tensor, const Others&... others) {
  return (shared_with(tensor, others) || ...);
}

// Checks that `out` can take a result of this dtype on this device and gives it the result's sizes;
// a warning if it had elements and other sizes.
void check_out(const char* op, const TensorImpl& out, DType dtype, Device device);
// Rules that some operators have besides: `out` is of the dtype of the input, what is written of
// that of the result, or `out` shares no memory with an input (or with another result).
void check_out_dtype(const char* op, const TensorBase& input, const TensorBase& out);
void check_written_dtype(const char* op, DType result, const TensorBase& written);
void check_no_overlap(const char* op, const TensorBase& out, const TensorBase& input);
void check_no_overlap(const char* op, const TensorBase& out, TensorList inputs);
// What a creating operator makes for `out`: of its dtype, on its device. Raises if the user chose
// others.
TensorOptions options_of_out(const char* op, const TensorOptions& chosen, const TensorBase& out);
// What sums are computed in for `out`: in its dtype, and a `dtype` that was chosen must be that.
std::optional<DType> dtype_of_out(const char* op, std::optional<DType> chosen,
                                  const TensorBase& out);
void fit_out(const char* op, TensorImpl& out, Dims sizes);
[[noreturn]] EAGRE_COLD void raise_resized_input(const char* op, const TensorImpl& out, Dims sizes);

// What a kernel writes to: `out` itself where it can, else a fresh tensor of the inner dtype.
TensorBase out_memory(const OpEntry& op, const TensorBase& out, Dims sizes, DType inner,
                      DType result, Device device, bool shared);
// out = result, which may be `out` itself.
void write_out(const char* op, const TensorBase& out, const TensorBase& result);
inline void write_out(const OpEntry& op, const TensorBase& out, const TensorBase& result) {
  write_out(op.public_name, out, result);
}

// Rule `any_shape`: a fresh result in the shape of an out= of as many elements.
TensorBase in_shape_of(const TensorBase& out, const TensorBase& result);

// out gets the shape of the result; what is in it stays.
void resize_out(const char* op, const TensorBase& out, const TensorBase& result);

// The same values and strides (row-major where there were holes) in memory of its own.
TensorBase copy_of(const TensorBase& tensor);

}  // namespace eagre::dispatch
