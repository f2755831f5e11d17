// A tensor kept for backward under libtorch's name, for programs that keep their own.
#pragma once

#include <memory>

#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

class SavedTensor;

// What is done to one saved tensor: packed when the hooks are registered, unpacked when it is used.
struct SavedVariableHooks {
  virtual ~SavedVariableHooks() = default;
  virtual void call_pack_hook(const Tensor& tensor) = 0;
  virtual Tensor call_unpack_hook() = 0;
};

class EAGRE_API SavedVariable {
 public:
  SavedVariable();
  // `is_output`: of the node that unpack() is told; it is kept without its history then.
  SavedVariable(const Tensor& variable, bool is_output, bool is_inplace_on_view = false);
  ~SavedVariable();
  SavedVariable(SavedVariable&&) noexcept;
  SavedVariable& operator=(SavedVariable&&) noexcept;

  // The tensor as it was saved; an error if it was written in place since, or dropped.
  Tensor unpack(IntrusivePtr<Node> saved_for = {}) const;
  void register_hooks(std::unique_ptr<SavedVariableHooks> hooks);
  void reset_data();

 private:
  std::unique_ptr<SavedTensor> saved_;
  bool is_dropped_ = false;
};

}  // namespace eagre::autograd
