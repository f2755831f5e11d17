// From arguments to batches, and from batches to results.
#include <eagre/api/vmap.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <eagre/api/functions.h>
#include <eagre/api/random.h>
#include <eagre/api/tensor.h>
#include <eagre/api/tensor_function.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/shape.h>

namespace eagre::func {
namespace {

using autograd::Level;
using autograd::LevelScope;

// One number for all, or one for each.
template <class Dim>
Dim of_many(const std::vector<Dim>& dims, size_t i, Dim standard) {
  return dims.empty() ? standard : dims.size() == 1 ? dims[0] : dims[i];
}

// How many samples there are; dimensions count from 0 afterwards.
int64_t count_samples(const Tensors& inputs, std::vector<BatchDim>& dims) {
  std::optional<int64_t> samples;
  for (size_t i = 0; i < inputs.size(); ++i) {
    BatchDim& dim = dims[i];
    if (!dim) continue;
    EAGRE_CHECK(inputs[i].defined(), kInvalidArgument, "vmap(): argument ", i, " is undefined");
    const int64_t rank = inputs[i].dim();
    EAGRE_CHECK(*dim >= -rank && *dim < rank, kInvalidArgument, "vmap(): Got in_dim=", *dim,
                " for argument ", i, " of dimensionality ", rank, " so expected in_dim to satisfy ",
                -rank, " <= in_dim < ", rank);
    if (*dim < 0) *dim += rank;
    const int64_t size = inputs[i].size(*dim);
    EAGRE_CHECK(!samples || *samples == size, kInvalidArgument,
                "vmap(): Expected all tensors to have the same size in the mapped dimension, got "
                "sizes ",
                *samples, " and ", size, " for the mapped dimension");
    samples = size;
  }
  EAGRE_CHECK(samples, kInvalidArgument,
              "vmap(): no argument is mapped over. Hint: give at least one of in_dims");
  return *samples;
}

class Mapped {
 public:
  Mapped(const PlacedFunction& function, const VmapOptions& options, CallSite at)
      : function_(function), options_(options), at_(at), dims_(options.in_dims) {}

  Tensors run(const Tensors& inputs) {
    const int64_t samples = count_samples(inputs, dims_);
    if (!options_.chunk_size || *options_.chunk_size >= samples) return once(inputs, samples);
    const int64_t chunk = *options_.chunk_size;
    EAGRE_CHECK(chunk > 0, kInvalidArgument, "vmap(): chunk_size: expected a positive number, got ",
                chunk);
    const bool is_same = options_.randomness == Randomness::kSame;
    const Tensor random = is_same ? get_rng_state() : Tensor();
    std::vector<Tensors> parts;
    for (int64_t first = 0; first < samples; first += chunk) {
      const int64_t count = std::min(chunk, samples - first);
      Tensors part = inputs;
      for (size_t i = 0; i < inputs.size(); ++i) {
        const BatchDim dim = dims_[i];
        if (dim) part[i] = narrow(inputs[i], *dim, first, count, at_);
      }
      if (is_same) set_rng_state(random);
      parts.push_back(once(part, count));
      EAGRE_CHECK(parts.back().size() == parts[0].size(), kInvalidArgument,
                  "vmap(): the function returned ", parts[0].size(),
                  " tensors for the first chunk of samples, but ", parts.back().size(),
                  " for another. Hint: with chunk_size, every call must return as many");
    }
    return joined(parts);
  }

 private:
  Tensors joined(const std::vector<Tensors>& parts) const {
    Tensors results = parts[0];
    for (size_t i = 0; i < results.size(); ++i) {
      const BatchDim place = places_[i];
      if (!place) continue;
      Tensors column;
      for (const Tensors& part : parts) column.push_back(part[i]);
      results[i] = cat(column, *place, at_);
    }
    return results;
  }

  Tensors once(const Tensors& inputs, int64_t samples) {
    const LevelScope scope(Level::batch(samples, options_.randomness));
    Level& level = scope.level();
    Tensors own = inputs;
    for (size_t i = 0; i < own.size(); ++i) {
      const BatchDim dim = dims_[i];
      if (dim) own[i] = autograd::batched(own[i], *dim, level);
    }
    PlacedResults results = function_(own);
    EAGRE_CHECK(results.dims.size() == results.tensors.size(), kInvalidArgument,
                "vmap(): the function returned ", results.tensors.size(), " tensors, but ",
                results.dims.size(), " dimensions of samples");
    places_ = std::move(results.dims);
    const autograd::SeenLevels outside(level.outer());
    for (size_t i = 0; i < results.tensors.size(); ++i) {
      results.tensors[i] = whole(results.tensors[i], places_[i], level);
    }
    return std::move(results.tensors);
  }

  // The result of all samples, with their dimension where it was asked for.
  Tensor whole(const Tensor& result, BatchDim place, Level& level) const {
    const autograd::TransformMeta* meta = autograd::transform_meta_of(result.get());
    const bool is_batched = meta != nullptr && meta->batch_level.get() == &level;
    if (!place) {
      EAGRE_CHECK(!is_batched, kInvalidArgument,
                  "vmap(): a result can not be a BatchedTensor when its out_dim is None");
      return result;
    }
    if (!is_batched) {  // the same for all
      DimVector sizes({level.batch_size()});
      for (const int64_t size : result.sizes()) sizes.push_back(size);
      const Tensor all = result.expand(sizes, at_);
      return *place == 0 ? all : movedim(all, 0, *place, at_);
    }
    Tensor batch = meta->batch;
    if (meta->batch_dim == *place) return batch;
    return movedim(batch, meta->batch_dim, *place, at_);
  }

  const PlacedFunction& function_;
  const VmapOptions& options_;
  CallSite at_;
  std::vector<BatchDim> dims_;    // of inputs
  std::vector<BatchDim> places_;  // of results
};

void check_in_dims(const VmapOptions& options, const Tensors& inputs) {
  EAGRE_CHECK(options.in_dims.size() == inputs.size(), kInvalidArgument, "vmap(): in_dims has ",
              options.in_dims.size(), " entries, but there are ", inputs.size(), " arguments");
}

// Where the samples of result `i` of a list stand.
int64_t out_dim(const VmapOptions& options, size_t i, const Tensor& result) {
  EAGRE_CHECK(result.defined(), kInvalidArgument, "vmap(): result ", i,
              " of the function is undefined");
  const int64_t rank = result.dim() + 1;
  const int64_t dim = of_many(options.out_dims, i, int64_t{0});
  EAGRE_CHECK(dim >= -rank && dim < rank, kInvalidArgument, "vmap(): out_dims: result ", i, " has ",
              rank, " dimensions with that of the samples, but got ", dim);
  return dim < 0 ? dim + rank : dim;
}

Tensors run(const TensorFunction& function, VmapOptions options, const Tensors& inputs) {
  EAGRE_CHECK(!inputs.empty(), kInvalidArgument,
              "vmap(): the function has no arguments, so there is nothing to map over");
  const BatchDim one_for_all = of_many(options.in_dims, 0, BatchDim(0));
  if (options.in_dims.size() <= 1) options.in_dims.assign(inputs.size(), one_for_all);
  check_in_dims(options, inputs);
  EAGRE_CHECK(count_samples(inputs, options.in_dims) != 0, kInvalidArgument,
              "vmap(): there are no samples to map over");
  const PlacedFunction placed = [&](const Tensors& own) {
    PlacedResults results{function(own), {}};
    EAGRE_CHECK(options.out_dims.size() <= 1 || options.out_dims.size() == results.tensors.size(),
                kInvalidArgument, "vmap(): out_dims has ", options.out_dims.size(),
                " entries, but the function returned ", results.tensors.size(), " tensors");
    for (size_t i = 0; i < results.tensors.size(); ++i) {
      results.dims.emplace_back(out_dim(options, i, results.tensors[i]));
    }
    return results;
  };
  return map_samples(placed, inputs, options);
}

}  // namespace

Tensors map_samples(const PlacedFunction& function, const Tensors& inputs,
                    const VmapOptions& options, CallSite at) {
  check_in_dims(options, inputs);
  return Mapped(function, options, at).run(inputs);
}

TensorFunction vmap(TensorFunction function, VmapOptions options) {
  return [function = std::move(function), options = std::move(options)](const Tensors& inputs) {
    return run(function, options, inputs);
  };
}

SingleFunction vmap(SingleFunction function, VmapOptions options) {
  return [list = vmap(autograd::functional::as_list(std::move(function)), std::move(options))](
             const Tensor& x) { return list({x})[0]; };
}

SingleFunction vmap(SingleFunction function, int64_t in_dim, int64_t out_dim) {
  VmapOptions options;
  options.in_dims = {in_dim};
  options.out_dims = {out_dim};
  return vmap(std::move(function), std::move(options));
}

}  // namespace eagre::func
