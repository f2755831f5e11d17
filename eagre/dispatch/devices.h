// Which device an operator runs on, given its tensors.
#pragma once

#include <eagre/core/operand.h>
#include <eagre/core/tensor_list.h>

namespace eagre::dispatch {

// Finds the common device: 0-dim tensors on the CPU join the others; other mixtures are an error.
// Raises: `op` was given a tensor of a vmap() that has ended, or wants to see values of one.
[[noreturn]] EAGRE_API EAGRE_COLD void raise_batched(const char* op);

class CommonDevice {
 public:
  explicit CommonDevice(const char* op) : op_(op) {}

  void add(const TensorImpl& tensor, const char* argument) {
    if (tensor.key.kind != TensorKind::kDense) [[unlikely]]
      raise_batched(op_);
    if (first_ == nullptr) {
      first_ = &tensor;
      argument_ = argument;
    } else if (tensor.key.device != first_->key.device) [[unlikely]] {
      settle(tensor, argument);
    }
  }
  // Arguments that may be left out, lists of them, numbers: whatever tensors there are take part.
  void add(const TensorBase& tensor, const char* argument) {
    if (tensor.defined()) add(tensor.get(), argument);
  }
  void add(const Operand& operand, const char* argument) {
    if (operand.is_tensor()) add(operand.tensor(), argument);
  }
  void add(TensorList tensors, const char* argument) {
    for (const TensorBase& tensor : tensors) add(tensor, argument);
  }
  Device get() const { return first_ == nullptr ? Device() : first_->key.device; }

 private:
  EAGRE_COLD void settle(const TensorImpl& tensor, const char* argument);

  const char* op_;
  const TensorImpl* first_ = nullptr;
  const char* argument_ = nullptr;
};

}  // namespace eagre::dispatch
