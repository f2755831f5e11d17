// vmap: a function of one sample becomes one of a batch, without a loop: every operator works on
// all samples at once.
//
//   auto per_sample = func::vmap(f);          // samples in dimension 0 of argument and result
//   Tensor y = per_sample(batch);
#pragma once

#include <optional>
#include <vector>

#include <eagre/api/tensor_function.h>  // IWYU pragma: export
#include <eagre/autograd/tape/level.h>

namespace eagre::func {

using autograd::Randomness;
using autograd::functional::SingleFunction;
using autograd::functional::TensorFunction;
using autograd::functional::Tensors;

// Which dimension counts samples; none: the same tensor for all samples.
using BatchDim = std::optional<int64_t>;

struct VmapOptions {
  std::vector<BatchDim> in_dims;  // per argument; empty: 0 for all; one: the same for all
  std::vector<int64_t> out_dims;  // per result, likewise
  Randomness randomness = Randomness::kError;
  std::optional<int64_t> chunk_size;  // so many samples at a time, to save memory
};

// The results of a function, and for each where its samples stand; none: it is the same for all.
struct PlacedResults {
  Tensors tensors;
  std::vector<BatchDim> dims;
};
using PlacedFunction = std::function<PlacedResults(const Tensors&)>;

// One call of a function that says itself where samples stand in its results: for languages whose
// functions take and return more than lists of tensors. There is an entry of in_dims for every
// input, and there may be no samples at all; out_dims does not count.
EAGRE_API Tensors map_samples(const PlacedFunction& function, const Tensors& inputs,
                              const VmapOptions& options,
                              CallSite at = std::source_location::current());

EAGRE_API TensorFunction vmap(TensorFunction function, VmapOptions options = {});
EAGRE_API SingleFunction vmap(SingleFunction function, int64_t in_dim = 0, int64_t out_dim = 0);
EAGRE_API SingleFunction vmap(SingleFunction function, VmapOptions options);

}  // namespace eagre::func
