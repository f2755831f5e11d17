// From arguments to batches, and from batches to results.
#include <eagre/api/vmap.h>

#include <algorithm>

#include <eagre/api/functions.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/base/error.h>

namespace eagre::func {
namespace {

using autograd::Level;
using autograd::LevelScope;

// One number for all, or one for each.
template <class Dim>
Dim of_many(const std::vector<Dim>& dims, size_t i, Dim standard) {
  return dims.empty() ? standard : dims.size() == 1 ? dims[0] : dims[i];
}

class Mapped {
 public:
  Mapped(const TensorFunction& function, const VmapOptions& options)
      : function_(function), options_(options) {}

  Tensors run(const Tensors& inputs) {
    const int64_t samples = read(inputs);
    if (!options_.chunk_size || *options_.chunk_size >= samples) return once(inputs, samples);
    const int64_t chunk = *options_.chunk_size;
    EAGRE_CHECK(chunk > 0, kInvalidArgument, "vmap(): chunk_size: expected a positive number, got ",
                chunk);
    std::vector<Tensors> parts;
    for (int64_t first = 0; first < samples; first += chunk) {
      const int64_t count = std::min(chunk, samples - first);
      Tensors part = inputs;
      for (size_t i = 0; i < inputs.size(); ++i) {
        const BatchDim dim = dims_[i];
        if (dim) part[i] = inputs[i].narrow(*dim, first, count);
      }
      parts.push_back(once(part, count));
    }
    Tensors results;
    for (size_t i = 0; i < parts[0].size(); ++i) {
      Tensors column;
      for (const Tensors& part : parts) column.push_back(part[i]);
      results.push_back(cat(column, out_dim(i, column[0].dim())));
    }
    return results;
  }

 private:
  // Which dimension of each argument counts samples, and how many there are.
  int64_t read(const Tensors& inputs) {
    EAGRE_CHECK(!inputs.empty(), kInvalidArgument,
                "vmap(): the function has no arguments, so there is nothing to map over");
    EAGRE_CHECK(options_.in_dims.size() <= 1 || options_.in_dims.size() == inputs.size(),
                kInvalidArgument, "vmap(): in_dims has ", options_.in_dims.size(),
                " entries, but there are ", inputs.size(), " arguments");
    const BatchDim zero = 0;
    std::optional<int64_t> samples;
    for (size_t i = 0; i < inputs.size(); ++i) {
      BatchDim& dim = dims_.emplace_back(of_many(options_.in_dims, i, zero));
      if (!dim) continue;
      EAGRE_CHECK(inputs[i].defined(), kInvalidArgument, "vmap(): argument ", i, " is undefined");
      const int64_t rank = inputs[i].dim();
      EAGRE_CHECK(*dim >= -rank && *dim < rank, kInvalidArgument, "vmap(): Got in_dim=", *dim,
                  " for argument ", i, " of dimensionality ", rank,
                  " so expected in_dim to satisfy ", -rank, " <= in_dim < ", rank);
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
    EAGRE_CHECK(*samples != 0, kInvalidArgument, "vmap(): there are no samples to map over");
    return *samples;
  }

  int64_t out_dim(size_t i, int64_t rank) const {
    const int64_t dim = of_many(options_.out_dims, i, int64_t{0});
    EAGRE_CHECK(dim >= -rank && dim < rank, kInvalidArgument, "vmap(): out_dims: result ", i,
                " has ", rank, " dimensions with that of the samples, but got ", dim);
    return dim < 0 ? dim + rank : dim;
  }

  Tensors once(const Tensors& inputs, int64_t samples) {
    const LevelScope scope(Level::batch(samples, options_.randomness));
    Level& level = scope.level();
    Tensors own = inputs;
    for (size_t i = 0; i < own.size(); ++i) {
      const BatchDim dim = dims_[i];
      if (dim) own[i] = autograd::batched(own[i], *dim, level);
    }
    Tensors results = function_(own);
    EAGRE_CHECK(options_.out_dims.size() <= 1 || options_.out_dims.size() == results.size(),
                kInvalidArgument, "vmap(): out_dims has ", options_.out_dims.size(),
                " entries, but the function returned ", results.size(), " tensors");
    const autograd::SeenLevels outside(level.outer());
    for (size_t i = 0; i < results.size(); ++i) results[i] = whole(results[i], i, level);
    return results;
  }

  // The result of all samples, with their dimension where it was asked for.
  Tensor whole(const Tensor& result, size_t i, Level& level) const {
    EAGRE_CHECK(result.defined(), kInvalidArgument, "vmap(): result ", i,
                " of the function is undefined");
    const int64_t place = out_dim(i, result.dim() + 1);
    const autograd::Carried* carried = autograd::carried_by(result.get());
    if (carried == nullptr || carried->batch_level.get() != &level) {  // the same for all
      const Tensor one = result.unsqueeze(place);
      DimVector sizes(one.sizes());
      sizes[static_cast<size_t>(place)] = level.batch_size();
      return one.expand(sizes);
    }
    Tensor batch = carried->batch;
    if (carried->batch_dim == place) return batch;
    return batch.movedim(carried->batch_dim, place);
  }

  const TensorFunction& function_;
  const VmapOptions& options_;
  std::vector<BatchDim> dims_;
};

}  // namespace

TensorFunction vmap(TensorFunction function, VmapOptions options) {
  return [function = std::move(function), options = std::move(options)](const Tensors& inputs) {
    return Mapped(function, options).run(inputs);
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
