// Looking at everything that a node saved, by name. The names are PyTorch's where it saves the
// same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <eagre/autograd/tape/saved_dims.h>
#include <eagre/autograd/tape/saved_tensors.h>
#include <eagre/core/scalar.h>

namespace eagre::autograd {

class SavedVisitor {
 public:
  virtual ~SavedVisitor() = default;

  virtual void see(const char* name, SavedTensor& saved) = 0;
  virtual void see(const char* name, SavedTensors& saved) = 0;
  virtual void see(const char* name, const Scalar& value) = 0;
  virtual void see(const char* name, std::string_view value) = 0;
  virtual void see(const char* name, Dims value) = 0;
  virtual void see(const char* name, const ShapeList& value) = 0;
  virtual void see(const char* name, DType value) = 0;
  virtual void see(const char* name, Device value) = 0;
  virtual void see_none(const char* name) = 0;  // an argument that was left out

  void see(const char* name, SavedOptionalTensor& saved) { see(name, saved.saved()); }
  void see(const char* name, SavedOperand& saved) {
    if (saved.is_number()) return see(name, saved.number());
    see(name, static_cast<SavedTensor&>(saved));
  }
  void see(const char* name, const SavedDims& saved) {
    const OptionalDims dims = saved.get();
    if (!dims.given()) return see_none(name);
    see(name, Dims(dims.values()));
  }
  template <class T>
  void see(const char* name, const std::optional<T>& value) {
    if (!value) return see_none(name);
    see(name, *value);
  }
  void see(const char* name, bool value) { see(name, Scalar(value)); }
  void see(const char* name, int64_t value) { see(name, Scalar(value)); }
  void see(const char* name, double value) { see(name, Scalar(value)); }
  void see(const char* name, const std::string& value) { see(name, std::string_view(value)); }
  void see(const char* name, const DimVector& value) { see(name, Dims(value)); }
};

}  // namespace eagre::autograd
