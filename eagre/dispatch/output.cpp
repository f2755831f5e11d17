// Checks and memory of tensors that the caller wants written.
#include <eagre/dispatch/output.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/small_vector.h>
#include <eagre/base/thread_state.h>
#include <eagre/base/warn.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/core/scalar_type_name.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/registry.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::dispatch {

void check_inference(const char* op, const TensorImpl& tensor) {
  EAGRE_CHECK(!tensor.has(TensorImpl::kInference) || thread_state.modes.new_tensor_flags != 0,
              kAutograd, op,
              "(): Inplace update to inference tensor outside InferenceMode is not allowed. Hint: "
              "clone() it for a normal tensor, or write it in inference mode");
}

void check_written(const char* op, const TensorImpl& tensor) {
  check_inference(op, tensor);
  if (tensor.numel == 0 || tensor.is_dense()) return;
  // Sorted by stride, every dimension must step over all that the smaller ones reach.
  SmallVector<size_t, 6> order;
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    if (tensor.sizes()[i] != 1) order.push_back(i);
  }
  for (size_t i = 1; i < order.size(); ++i) {
    for (size_t k = i; k > 0 && tensor.strides()[order[k]] < tensor.strides()[order[k - 1]]; --k) {
      std::swap(order[k], order[k - 1]);
    }
  }
  int64_t reach = 0;
  for (size_t i : order) {
    EAGRE_CHECK(tensor.strides()[i] > reach, kInvalidArgument, op,
                "(): unsupported operation: more than one element of the written-to tensor refers "
                "to a single memory location (it was expanded, or made by as_strided or unfold), "
                "so it cannot be written in place. Hint: clone() it first");
    reach += (tensor.sizes()[i] - 1) * tensor.strides()[i];
  }
}

void check_out(const char* op, const TensorImpl& out, DType dtype, Device device) {
  EAGRE_CHECK(out.key.device == device, kInvalidArgument, op, "(): argument 'out' is on ",
              out.key.device, ", but the result is on ", device);
  EAGRE_CHECK(can_cast(category(dtype), out.key.dtype), kType, op, "(): result type ",
              scalar_type_name(dtype), " can't be cast to the desired output type ",
              scalar_type_name(out.key.dtype), ": the result is ", dtype,
              ", and 'out' a tensor of ", out.key.dtype);
}

void check_out_dtype(const char* op, const TensorBase& input, const TensorBase& out) {
  EAGRE_CHECK(input.dtype() == out.dtype(), kInvalidArgument, op, "(): Found dtype ",
              scalar_type_name(out.dtype()), " but expected ", scalar_type_name(input.dtype()),
              ": ", op, "() out tensor must be same dtype as the input tensor, ", input.dtype(),
              ", but argument 'out' is of ", out.dtype());
}

void check_written_dtype(const char* op, DType result, const TensorBase& written) {
  const bool is_in_place = op[std::strlen(op) - 1] == '_';
  if (result == written.dtype()) [[likely]]
    return;
  const std::string_view found = scalar_type_name(written.dtype());
  if (result == kBool) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): ", op, " only supports bool tensor for result, got: ", found, " (", op,
                 " does not support non-boolean outputs): the tensor that is written is of ",
                 written.dtype()));
  }
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): Expected object of scalar type ", scalar_type_name(result),
               " but got scalar type ", found, " for ",
               is_in_place ? "the tensor that is written" : "argument 'out'",
               ": the operation's result requires dtype ", result, ", but got one of ",
               written.dtype()));
}

void check_no_overlap(const char* op, const TensorBase& out, const TensorBase& input) {
  check_written(op, out.get());
  const TensorImpl& a = out.get();
  const TensorImpl& b = input.get();
  if (a.storage != b.storage || a.numel == 0 || b.numel == 0) return;
  // Bytes that a tensor without holes covers; with holes, its elements may lie between the others.
  if (!a.is_dense() || !b.is_dense()) return;
  const auto end = [](const TensorImpl& t) {
    return static_cast<const char*>(t.data()) +
           t.numel * static_cast<int64_t>(element_size(t.key.dtype));
  };
  EAGRE_CHECK(
      a.data() >= end(b) || b.data() >= end(a), kInvalidArgument, op,
      "(): unsupported operation: some elements of the input tensor and the written-to tensor "
      "refer to a single memory location. The tensor that is written (given as 'out', or changed "
      "in "
      "place) shares memory with an input or with another result, and they must not overlap. Hint: "
      "clone() one of them");
}

void check_no_overlap(const char* op, const TensorBase& out, TensorList inputs) {
  for (const TensorBase& input : inputs) {
    if (input.defined()) check_no_overlap(op, out, input);
  }
}

TensorOptions options_of_out(const char* op, const TensorOptions& chosen, const TensorBase& out) {
  const DType dtype = chosen.chosen_dtype().value_or(out.dtype());
  if (dtype != out.dtype()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "dtype", concat("the dtype of 'out', ", out.dtype()),
                          std::string(to_string(dtype))});
  }
  const Device device = chosen.chosen_device().value_or(out.device());
  if (device != out.device()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "device", concat("the device of 'out', ", out.device()),
                          concat(device)});
  }
  return TensorOptions(dtype).device(device);
}

std::optional<DType> dtype_of_out(const char* op, std::optional<DType> chosen,
                                  const TensorBase& out) {
  const DType dtype = chosen.value_or(out.dtype());
  check_written_dtype(op, dtype, out);
  return dtype;
}

void fit_out(const char* op, TensorImpl& out, Dims sizes) {
  if (out.sizes() == sizes) return;
  // Its base has the same memory, and would find other values in it.
  if (out.has(TensorImpl::kIsView) && out.storage->bytes != 0) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): the tensor given as 'out' is a view of shape ", out.sizes(),
                 ", so it cannot be resized to the shape of the result, ", sizes,
                 ". Hint: give an empty one, or one of the right shape"));
  }
  if (out.numel != 0) {
    warn(
        concat(op, "(): the tensor given as 'out' has shape ", out.sizes(),
               " and is resized to the shape of the result, ", sizes,
               ". This behavior is deprecated, and in a future PyTorch release outputs will not be "
               "resized unless they have zero elements. Hint: give an empty one, or one of the "
               "right shape"));
  }
  resize_tensor(op, out, sizes);
}

void raise_resized_input(const char* op, const TensorImpl& out, Dims sizes) {
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): the tensor given as 'out' has shape ", out.sizes(),
               " and shares memory with an input, so it cannot be resized to the shape of the "
               "result, ",
               sizes, ". Hint: give another one"));
}

TensorBase out_memory(const OpEntry& op, const TensorBase& out, Dims sizes, DType inner,
                      DType result, Device device, bool shared) {
  TensorImpl& target = out.get();
  check_out(op.public_name, target, result, device);
  check_written(op, target);
  // One that must be resized is, by write_out, when the call has succeeded.
  if (target.sizes() == sizes) {
    // A wider inner dtype would leave in it what that of the result cannot hold.
    const bool holds_result = target.key.dtype == inner && inner == result;
    if (holds_result && target.is_contiguous() && !shared) return out;
  } else if (shared) {
    raise_resized_input(op.public_name, target, sizes);
  }
  return TensorBase::adopt(new_tensor(sizes, inner, device));
}

void write_out(const char* op, const TensorBase& out, const TensorBase& result) {
  if (out.is_same(result)) return;
  TensorImpl& target = out.get();
  check_out(op, target, result.dtype(), result.device());
  fit_out(op, target, result.sizes());
  check_written(op, target);
  copy_into(target, result);
}

TensorBase in_shape_of(const TensorBase& out, const TensorBase& result) {
  if (out.numel() != result.numel() || !result.get().is_contiguous()) return result;
  DimVector strides(out.sizes().size());
  contiguous_strides(out.sizes(), strides.data());
  return TensorBase::adopt(new_view(result.get(), out.sizes(), strides, result.get().offset));
}

void resize_out(const char* op, const TensorBase& out, const TensorBase& result) {
  TensorImpl& target = out.get();
  check_out(op, target, result.dtype(), result.device());
  fit_out(op, target, result.sizes());
}

TensorBase copy_of(const TensorBase& tensor) {
  const TensorImpl& from = tensor.get();
  auto copy = TensorBase::adopt(from.is_dense()
                                    ? new_tensor_like(from, from.key.dtype)
                                    : new_tensor(from.sizes(), from.key.dtype, from.key.device));
  copy_into(copy.get(), tensor);
  return copy;
}

}  // namespace eagre::dispatch
