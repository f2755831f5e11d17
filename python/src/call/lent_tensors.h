// A list of tensors from Python on its way into an operator.
#pragma once

#include <eagre/core/tensor_list.h>

#include "types/tensor.h"

namespace eagre::python {

// Holds the Python objects, as hooks may change the list during the call. Their counts are plain
// numbers; those of tensors are shared by threads, and four of them cost as much as a small cat().
class LentTensors {
 public:
  // Of tensors; None is an undefined one.
  explicit LentTensors(Span<PyObject* const> items) {
    if (items.size() > kInline) {
      owned_.reserve(items.size());
      for (PyObject* item : items) owned_.push_back(tensor_or_none(item));
      return;
    }
    for (PyObject* item : items) {
      objects_[count_] = Py_NewRef(item);
      new (&lent_[count_++]) LentTensor(tensor_or_none(item));
    }
  }
  LentTensors(const LentTensors&) = delete;
  LentTensors& operator=(const LentTensors&) = delete;
  ~LentTensors() {
    for (size_t i = 0; i < count_; ++i) Py_DECREF(objects_[i]);
  }

  operator TensorList() const {  // NOLINT: this is what it stands for
    return owned_.empty() ? TensorList(&lent_[0].tensor, count_) : TensorList(owned_);
  }

 private:
  static constexpr size_t kInline = 8;

  static const TensorBase& tensor_or_none(PyObject* item) {
    static const TensorBase& missing = *new TensorBase;
    return item == Py_None ? missing : tensor_of(item);
  }

  size_t count_ = 0;
  PyObject* objects_[kInline];
  LentTensor lent_[kInline];
  TensorVector owned_;  // longer lists
};

}  // namespace eagre::python
