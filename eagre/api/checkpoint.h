// Checkpoints: a segment of a program whose saved tensors are not kept but computed again when
// backward needs them. Costs one more forward of the segment, and saves its memory.
#pragma once

#include <memory>
#include <vector>

#include <eagre/api/tensor_function.h>
#include <eagre/autograd/tape/saved_tensor.h>

namespace eagre::autograd {

struct CheckpointOptions {
  // The default generator is where it was in forward, so that dropout drops the same elements.
  bool preserve_rng_state = true;
  // What the second forward saves must look like what the first one saved.
  bool determinism_check = true;
  // The second forward ends as soon as everything that was saved is there.
  bool early_stop = true;
};

// function(inputs). Whatever the function uses besides its inputs gets gradients too. Works in
// backward() and grad(), to any order, and inside of another checkpoint.
EAGRE_API functional::Tensors checkpoint(const functional::TensorFunction& function,
                                         const functional::Tensors& inputs,
                                         const CheckpointOptions& options = {});
EAGRE_API Tensor checkpoint(const functional::SingleFunction& function, const Tensor& input,
                            const CheckpointOptions& options = {});

// --- for other languages, whose functions take more than tensors ---

// What a tensor that was saved looks like.
struct SavedLook {
  DimVector sizes;
  DType dtype;
  Device device;
};

// What is wrong with the second run of a function.
struct CheckpointProblem {
  enum class Kind : uint8_t {
    kMore,      // it saves more than the first one
    kNumber,    // it has saved another number of tensors
    kLooks,     // the same number, but they look different
    kUsedTwice  // nothing, but a backward call needs a tensor for the second time
  };
  struct Difference {
    size_t index;
    SavedLook first, second;
  };
  Kind kind;
  size_t first = 0, second = 0;  // how many were saved
  std::vector<Difference> differences = {};
  bool has_lost_tangents = false;  // the function ran in forward mode, which is over
  bool is_shared = false;          // by backward calls of one group
};

// The function of a checkpoint.
class EAGRE_API CheckpointedFunction {
 public:
  virtual ~CheckpointedFunction() = default;
  // Runs it with the tensors among its arguments, as they were saved. What stop() throws ends here.
  virtual void run_again(const functional::Tensors& inputs) = 0;
  // Throws: everything is there.
  [[noreturn]] virtual void stop() = 0;
  // Throws.
  [[noreturn]] virtual void refuse(const CheckpointProblem& problem) = 0;
  // May a backward call have a tensor twice? Then the function runs again for it.
  virtual bool may_use_twice() const = 0;
  // A run saves a tensor.
  virtual void note_saved(const TensorBase& /*tensor*/, bool /*again*/) {}
};

// Backward calls that share one run of each function.
class CheckpointGroup;
EAGRE_API std::shared_ptr<CheckpointGroup> new_checkpoint_group();
// Of this thread; null: every call has its own.
EAGRE_API std::shared_ptr<CheckpointGroup> set_checkpoint_group(
    std::shared_ptr<CheckpointGroup> group);

// One call of a function: hooks on what it saves, to be in scope while it runs for the first time.
class EAGRE_API CheckpointSegment : public PackHooks {
 public:
  static std::shared_ptr<CheckpointSegment> make(std::shared_ptr<CheckpointedFunction> function,
                                                 const functional::Tensors& inputs,
                                                 const CheckpointOptions& options);
  // The first run is over.
  virtual void complete() = 0;
};

}  // namespace eagre::autograd
