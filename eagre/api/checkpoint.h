// Checkpoints: a segment of a program whose saved tensors are not kept but computed again when
// backward needs them. Costs one more forward of the segment, and saves its memory.
#pragma once

#include <eagre/api/functional.h>

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

}  // namespace eagre::autograd
