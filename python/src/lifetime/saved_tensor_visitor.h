// A look at the tensors alone that a node saved, those of lists one by one.
#pragma once

#include <eagre/autograd/tape/saved_visitor.h>

namespace eagre::python {

class SavedTensorVisitor : public autograd::SavedVisitor {
 public:
  using SavedVisitor::see;
  void see(const char* name, autograd::SavedTensors& saved) override {
    for (size_t i = 0; i < saved.size(); ++i) see(name, saved.saved(i));
  }
  void see(const char*, const Scalar&) override {}
  void see(const char*, std::string_view) override {}
  void see(const char*, Dims) override {}
  void see(const char*, const ShapeList&) override {}
  void see(const char*, DType) override {}
  void see(const char*, Device) override {}
  void see_none(const char*) override {}
};

}  // namespace eagre::python
