// What a base gets when one of its views is written in place: a node that runs the writer's node on
// the gradient of the written part, and hands on the gradient of the rest.
#pragma once

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/view_shape.h>

namespace eagre::autograd {

class CopySlices final : public Node {
 public:
  // `writer` made what is now in `view`; its input 0 is what was there before.
  static IntrusivePtr<CopySlices> make(TensorImpl& base, const TensorImpl& view,
                                       IntrusivePtr<Node> writer);
  // Inputs: the base as it was, then those of the writer after its first.
  CopySlices(TensorImpl& base, const TensorImpl& view, IntrusivePtr<Node> writer);

  std::string name() const override { return "CopySlices"; }
  void apply(BackwardCall& call) override;

  // The writer's result as a part of the base that this node makes. `values` has its values: in the
  // base's memory, or, if `is_elsewhere`, in some other.
  TensorBase written(const TensorBase& values, bool is_elsewhere);

 private:
  // What the view is of memory in which the base begins at 0.
  ViewShape part() const;

  ViewShape base_;
  ViewShape view_;
  Device device_;
  IntrusivePtr<Node> writer_;
};

}  // namespace eagre::autograd
