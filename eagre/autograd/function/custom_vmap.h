// A function of a user that ran on tensors with batches, as seen from outside of the vmap: there it
// is a function of the batches, whose backward runs the user's on samples again.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <eagre/autograd/transforms/vmap.h>

namespace eagre::autograd {

// Which dimension counts samples; none: the same tensor for all samples.
using BatchDim = std::optional<int64_t>;
using BatchDims = std::vector<BatchDim>;

// A vmap that the function ran in, and where its tensors had their samples.
struct BatchLayer {
  int64_t size = 0;
  Randomness randomness = Randomness::kError;
  BatchDims inputs, outputs, saved, saved_forward;
};
using BatchLayers = std::vector<BatchLayer>;  // the outermost first

// The tensors that those at a level are samples of.
TensorVector batches_of(const TensorVector& samples, const Level& level, BatchDims& dims);
// `sample`, which may have been made anew, is one of `batch`.
void carry_batch(const TensorBase& sample, const TensorBase& batch, int64_t dim, Level& level);

// While it exists, the vmaps are open anew: by the time of backward, those of the call are closed.
class ReopenedLayers {
 public:
  ReopenedLayers(const BatchLayers& layers, CallSite at);
  ~ReopenedLayers();
  ReopenedLayers(const ReopenedLayers&) = delete;
  ReopenedLayers& operator=(const ReopenedLayers&) = delete;

  // From batches to samples. `dims`: of the inputs, the outputs or what was saved.
  TensorVector samples(TensorVector batches, BatchDims BatchLayer::*dims) const;
  // Gradients of results: one for all samples is divided among them.
  TensorVector gradient_samples(TensorVector gradients) const;
  // From samples to batches. Gradients of arguments: those of one for all samples are summed.
  TensorVector gradient_batches(TensorVector gradients) const;
  // Tangents of results.
  TensorVector tangent_batches(TensorVector tangents, const char* function) const;

 private:
  Level& level(size_t i) const { return scopes_[i]->level(); }

  const BatchLayers& layers_;
  CallSite at_;
  std::vector<std::unique_ptr<LevelScope>> scopes_;
};

}  // namespace eagre::autograd
