// Inputs of kernels, made ready.
#include <eagre/dispatch/structured.h>

namespace eagre::dispatch {

DType same_dtype(const char* op, std::initializer_list<NamedTensor> tensors) {
  const NamedTensor& first = *tensors.begin();
  for (const NamedTensor& other : tensors) {
    if (other.tensor.key.dtype == first.tensor.key.dtype) continue;
    raise(ErrorKind::kType,
          ArgumentProblem{
              op, other.name,
              concat("of the same dtype as '", first.name, "' (", first.tensor.key.dtype, ")"),
              concat(other.tensor.key.dtype), "convert one of them with .to(dtype)"});
  }
  return first.tensor.key.dtype;
}

TensorBase prepare_slowly(const TensorBase& tensor, Device device, std::optional<DType> dtype,
                          bool contiguous) {
  TensorBase ready = on_device(tensor, device);
  if (dtype) ready = as_dtype(ready, *dtype);
  return contiguous ? as_contiguous(ready) : ready;
}

TensorVector prepare(TensorList tensors, Device device, std::optional<DType> dtype,
                     bool contiguous) {
  TensorVector ready;
  ready.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) {
    ready.push_back(prepare(tensor, device, dtype, contiguous));
  }
  return ready;
}

TensorBase apart(const TensorBase& tensor, const TensorBase& target) {
  return shared_with(target, tensor) ? copy_of(tensor) : tensor;
}

TensorVector apart(const TensorVector& tensors, const TensorBase& target) {
  TensorVector result;
  result.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) result.push_back(apart(tensor, target));
  return result;
}

}  // namespace eagre::dispatch
