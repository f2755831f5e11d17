// The rarely needed rest of a tensor's AutogradMeta.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include <eagre/autograd/hooks.h>

namespace eagre::autograd {

struct AutogradMeta;

// The way of a hook to the .grad of a tensor that it does not hold.
class RetainedGrad {
 public:
  explicit RetainedGrad(AutogradMeta& owner) : owner_(&owner) {}
  bool read(TensorBase& grad);  // false when the tensor is gone
  void write(TensorBase& grad);
  void leave();  // the tensor ends

  std::mutex adding;  // held by those who read, add and write

 private:
  std::atomic<bool> lock_{false};
  AutogradMeta* owner_;
};

struct TensorExtras {
  ~TensorExtras() {
    if (retained != nullptr) retained->leave();
  }

  std::shared_ptr<RetainedGrad> retained;
  HookHandle retain_hook;
  // The dtype of .grad where it is not that of the tensor.
  std::optional<DType> grad_dtype;
  bool any_grad_dtype = false;
  // Shapes that a leaf had before x.t_() and its like, in which graphs recorded then give
  // gradients.
  std::vector<DimVector> former_shapes;
  // Memory that views may still look at, because this tensor was their base when it had it.
  std::vector<IntrusivePtr<Storage>> former;
};

}  // namespace eagre::autograd
