// Saved arguments that may be missing, and lists of them.
#pragma once

#include <memory>

#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {

// `Tensor?`: undefined if it was left out.
class SavedOptionalTensor {
 public:
  void save_input(const TensorBase& tensor) {
    given_ = tensor.defined();
    if (given_) saved_.save_input(tensor);
  }
  TensorBase read(Node& node, const BackwardCall& call, const char* argument) {
    return given_ ? saved_.read(node, call, argument) : TensorBase();
  }
  void skip(const BackwardCall& call) { saved_.skip(call); }
  SavedTensor& saved() { return saved_; }  // empty if it was left out

 private:
  bool given_ = false;
  SavedTensor saved_;
};

// `Tensor[]` and `Tensor?[]`.
class SavedTensors {
 public:
  void save_input(eagre::TensorList tensors) {
    count_ = tensors.size();
    saved_ = std::make_unique<SavedOptionalTensor[]>(count_);
    for (size_t i = 0; i < count_; ++i) saved_[i].save_input(tensors[i]);
  }
  TensorVector read(Node& node, const BackwardCall& call, const char* argument) {
    TensorVector tensors;
    tensors.reserve(count_);
    for (size_t i = 0; i < count_; ++i) tensors.push_back(saved_[i].read(node, call, argument));
    return tensors;
  }
  void skip(const BackwardCall& call) {
    for (size_t i = 0; i < count_; ++i) saved_[i].skip(call);
  }
  size_t size() const { return count_; }
  SavedTensor& saved(size_t i) { return saved_[i].saved(); }

 private:
  size_t count_ = 0;
  std::unique_ptr<SavedOptionalTensor[]> saved_;
};

}  // namespace eagre::autograd
