// Functions whose gradient the user writes: what all of them share, whatever language they are
// written in. A call runs the user's forward without recording, finish_custom() turns its results
// into those of a CustomNode, and the node calls the user's backward.
#pragma once

#include <string>

#include <eagre/autograd/function/custom_vmap.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_tensors.h>

namespace eagre::autograd {

// What forward said about its arguments and results.
struct CustomMarks {
  TensorVector to_save;                        // for backward; undefined ones too
  TensorVector to_save_forward;                // for jvp, if something else
  TensorVector dirty;                          // inputs that were written in place
  TensorVector non_differentiable;             // results that are none of calculus
  bool materialize = true;                     // missing gradients come to backward as zeros
  bool materialize_non_differentiable = true;  // also those of `non_differentiable`
  bool is_pure_view = false;  // a view that comes back may be written: backward is that of the view
};

class EAGRE_API CustomNode : public Node {
 public:
  // `argument_is_tensor`: for every argument of forward; those that are become inputs of the node.
  struct Shape {
    uint16_t inputs;
    uint16_t outputs;
    std::vector<bool> argument_is_tensor;
  };
  CustomNode(Shape shape, uint32_t site)
      : Node(shape.inputs, site, shape.outputs),
        argument_is_tensor_(std::move(shape.argument_is_tensor)) {}

  void apply(BackwardCall& call) final;
  void visit_saved(SavedVisitor& visitor) override;

  // What forward saved, as often as it is asked for while backward runs.
  TensorVector saved_tensors();
  // Lets go of it, whatever becomes of the graph.
  void give_up_saved();
  const std::vector<bool>& argument_is_tensor() const { return argument_is_tensor_; }
  // Backward runs inside of these vmaps, though the node is outside of them. `sample_sizes`: of the
  // inputs there.
  void set_layers(BatchLayers layers, ShapeList sample_sizes) {
    layers_ = std::move(layers);
    sample_sizes_ = std::move(sample_sizes);
  }
  // Does the running backward call need the gradient of this input?
  static bool wants_input(size_t input);

 protected:
  // One gradient per argument of forward.
  virtual TensorVector run_backward(TensorVector gradients) = 0;
  // Its backward is not recorded, so differentiating it again is an error.
  virtual bool is_once_differentiable() const { return false; }

 private:
  friend EAGRE_API void finish_custom(const IntrusivePtr<CustomNode>&, const char*,
                                      Span<const TensorBase>, TensorVector&, const CustomMarks&,
                                      CallSite, bool);
  void save(const TensorVector& tensors);
  bool is_result(const TensorBase& tensor) const;
  TensorVector gradients_of(const BackwardCall& call) const;
  void check_results(TensorVector& results) const;
  TensorVector results_for(TensorVector gradients);
  void make_fit(TensorVector& gradients) const;

  std::vector<bool> argument_is_tensor_;
  std::unique_ptr<SavedTensor[]> saved_;
  size_t saved_count_ = 0;
  bool materialize_ = true;
  std::vector<uint16_t> no_gradients_;  // outputs whose missing gradients are not made zeros
  BatchLayers layers_;
  ShapeList sample_sizes_;
};

// After forward: gives `outputs` the history of `node`, or none if that is null, and replaces
// those that must not be returned as they are. `inputs` are the tensors among the arguments. What
// is written counts once, also if several layers of transforms finish the same call.
EAGRE_API void finish_custom(const IntrusivePtr<CustomNode>& node, const char* name,
                             Span<const TensorBase> inputs, TensorVector& outputs,
                             const CustomMarks& marks, CallSite at, bool counts_writes = true);

}  // namespace eagre::autograd
