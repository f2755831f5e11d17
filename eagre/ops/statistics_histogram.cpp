// histogram and histogramdd: elements and points, counted in parts with given edges.
#include <array>
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/clamp.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/contiguous.h>
#include <eagre/ops/diff.h>
#include <eagre/ops/div.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/histogram.h>
#include <eagre/ops/histogramdd.h>
#include <eagre/ops/le.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/ones.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/searchsorted.h>
#include <eagre/ops/select.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

struct Histogram {
  const char* op;
  const TensorBase& points;  // [number of points, number of coordinates]
  TensorList edges;
  const TensorBase& weight;  // of each point, or undefined

  void check() const {
    EAGRE_CHECK(is_floating_point(points.dtype()), kUnimplemented, op,
                "(): argument 'input' must be floating-point, but got ", points.dtype());
    EAGRE_CHECK(static_cast<int64_t>(edges.size()) == points.sizes()[1], kInvalidArgument, op,
                "(): argument 'bins' must have edges for each of the ", points.sizes()[1],
                " coordinates, but got ", edges.size());
    for (const TensorBase& edge : edges) {
      EAGRE_CHECK(edge.get(op, "bins").key.rank == 1 && edge.numel() >= 2, kInvalidArgument, op,
                  "(): argument 'bins' must be a vector of at least 2 edges, but got shape ",
                  edge.sizes());
      EAGRE_CHECK(edge.dtype() == points.dtype(), kInvalidArgument, op,
                  "(): argument 'bins' must be of the dtype of 'input', ", points.dtype(),
                  ", but got ", edge.dtype());
    }
    if (!weight.defined()) return;
    EAGRE_CHECK(weight.dtype() == points.dtype(), kInvalidArgument, op,
                "(): argument 'weight' must be of the dtype of 'input', ", points.dtype(),
                ", but got ", weight.dtype());
  }

  DimVector shape() const {
    DimVector sizes;
    for (const TensorBase& edge : edges) sizes.push_back(edge.numel() - 1);
    return sizes;
  }

  TensorBase counts(bool density, CallSite at) const {
    const DimVector sizes = shape();
    const int64_t parts = checked_numel(op, sizes);
    const auto options = TensorOptions(points.dtype()).device(points.device());
    const TensorBase none = zeros(Dims({parts}), options, at);
    TensorBase each = weight.defined() ? weight : ones(Dims({points.sizes()[0]}), options, at);
    TensorBase place;
    for (size_t d = 0; d < edges.size(); ++d) {
      const TensorBase x =
          contiguous(select(points, 1, static_cast<int64_t>(d), at), MemoryFormat::kContiguous, at);
      const int64_t last = edges[d].numel() - 1;
      const TensorBase above = searchsorted(edges[d], x, false, true, {}, {}, at);
      const TensorBase low = select(edges[d], 0, 0, at), high = select(edges[d], 0, last, at);
      const TensorBase is_inside = logical_and(ge(x, low, at), le(x, high, at), at);
      each = where(is_inside, each, 0, at);
      // The last part has its upper edge, too; what is outside counts nothing anywhere.
      const TensorBase part = clamp(sub(above, 1, 1, at), 0, last - 1, at);
      place = place.defined() ? add(mul(place, last, at), part, 1, at) : part;
    }
    const TensorBase sums = reshape(scatter_add(none, 0, place, each, at), sizes, at);
    return density ? as_density(sums, at) : sums;
  }

 private:
  TensorBase as_density(const TensorBase& sums, CallSite at) const {
    TensorBase result = div(sums, sum(sums, {}, false, {}, at), at);
    for (size_t d = 0; d < edges.size(); ++d) {
      DimVector narrow(edges.size(), 1);
      narrow[d] = -1;
      result = div(result, reshape(diff(edges[d], 1, 0, {}, {}, at), narrow, at), at);
    }
    return result;
  }
};

TensorBase flat_weights(const char* op, const TensorBase& weight, Dims wanted, CallSite at) {
  if (!weight.defined()) return {};
  EAGRE_CHECK(weight.sizes() == wanted, kInvalidArgument, op,
              "(): argument 'weight' must have shape ", wanted, ", one for each, but got ",
              weight.sizes());
  return reshape(weight, Dims({weight.numel()}), at);
}

}  // namespace

std::array<TensorBase, 2> histogram(const TensorBase& input, const TensorBase& bins,
                                    const TensorBase& weight, bool density, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "histogram";
  const NoGradGuard guard;
  const TensorBase points = reshape(input, Dims({input.get(op, "input").numel, 1}), at);
  const TensorBase weights = flat_weights(op, weight, input.sizes(), at);
  const Histogram made{op, points, TensorList(&bins, 1), weights};
  made.check();
  return {made.counts(density, at), clone(bins, at)};
}

TensorBase histogramdd(const TensorBase& input, TensorList bins, const TensorBase& weight,
                       bool density, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "histogramdd";
  const NoGradGuard guard;
  EAGRE_CHECK(input.get(op, "input").key.rank >= 2, kInvalidArgument, op,
              "(): argument 'input' must have at least 2 dimensions, but got ", input.dim());
  const int64_t coordinates = input.sizes().back();
  EAGRE_CHECK(coordinates > 0, kInvalidArgument, op,
              "(): argument 'input' must have at least one coordinate, but got shape ",
              input.sizes());
  DimVector others = input.sizes();
  others.erase(others.size() - 1);
  const TensorBase points = reshape(input, Dims({input.numel() / coordinates, coordinates}), at);
  const TensorBase weights = flat_weights(op, weight, others, at);
  const Histogram made{op, points, bins, weights};
  made.check();
  return made.counts(density, at);
}

}  // namespace eagre::ops
