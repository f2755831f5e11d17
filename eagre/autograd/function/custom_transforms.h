// Functions of users under forward mode and vmap. Their forward runs once, on the arguments as they
// are. Then the call is finished layer by layer: outside of all vmaps first, on the batches of
// batches, where it gets a node and tangents of its own, then inside of the outermost, and so on.
#pragma once

#include <eagre/autograd/function/custom_function.h>

namespace eagre::autograd {

// One call of such a function, in the language it is written in.
class EAGRE_API CustomCall {
 public:
  virtual ~CustomCall() = default;
  virtual const std::string& name() const = 0;
  // The node of a layer with these inputs, connected to them; null if none needs a gradient.
  virtual IntrusivePtr<CustomNode> make_node(const TensorVector& inputs, size_t outputs) = 0;
  // Tangents of the results from those of the tensors among the arguments.
  virtual bool has_jvp() const = 0;
  virtual TensorVector jvp(const TensorVector& saved, TensorVector tangents) = 0;
};

// How a function deals with batches.
enum class BatchRule : uint8_t {
  kNone,
  kGenerated,  // it is made of operators, so it can run on samples that stand for all
  kOwn,        // the user wrote one, which works on the batches
};

// Before forward: can the function deal with what these tensors carry?
EAGRE_API void check_transforms(const CustomCall& call, const TensorVector& inputs, BatchRule rule);

// Which of them need a gradient, in any layer.
EAGRE_API void note_transformed_needs(const TensorVector& inputs, std::vector<bool>& needs);

// After forward, as finish_custom().
EAGRE_API void finish_transformed(CustomCall& call, const TensorVector& inputs,
                                  TensorVector& outputs, const CustomMarks& marks, BatchRule rule,
                                  CallSite at);

// The user's own batch rule: arguments for it, and results from it. While it exists, what lies
// outside of the vmap is seen.
class EAGRE_API CustomBatch {
 public:
  // `level`: the innermost that the inputs carry a batch of.
  CustomBatch(Level& level, const TensorVector& inputs);

  int64_t size() const { return level_.batch_size(); }
  Randomness randomness() const { return level_.randomness(); }
  const TensorVector& inputs() const { return batches_; }
  const BatchDims& dims() const { return dims_; }
  // The samples of what the rule returned.
  TensorVector samples(const std::string& function, TensorVector outputs,
                       const BatchDims& dims) const;

 private:
  Level& level_;
  const TensorVector& inputs_;
  BatchDims dims_;
  TensorVector batches_;
  SeenLevels below_;
};

// Do any of them carry what a level that is seen concerns?
EAGRE_API bool carry_transforms(const TensorVector& tensors);
// The innermost vmap that these tensors carry a batch of, or null.
EAGRE_API Level* batch_level_of(const TensorVector& tensors);

}  // namespace eagre::autograd
