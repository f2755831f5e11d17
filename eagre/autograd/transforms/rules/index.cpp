// Batches of operators that choose elements by their places.
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/arange_step.h>
#include <eagre/autograd/ops/argmax.h>
#include <eagre/autograd/ops/argmin.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/gather.h>
#include <eagre/autograd/ops/index_add.h>
#include <eagre/autograd/ops/index_copy.h>
#include <eagre/autograd/ops/index_fill.h>
#include <eagre/autograd/ops/index_select.h>
#include <eagre/autograd/ops/masked_fill.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/rows_at.h>
#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/ops/scatter.h>
#include <eagre/autograd/ops/scatter_add.h>
#include <eagre/autograd/ops/scatter_value.h>
#include <eagre/autograd/ops/sum_rows.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/autograd/transforms/rules.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::autograd::rules {
namespace {

// Without a dimension, the place among all elements of a sample.
template <class Find>
TensorBase found(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                 bool keepdim, CallSite at, Find find) {
  const TensorBase batch = call.along(input);
  if (dim) return call.result_along(find(batch, call.dim(*dim, input)), input);
  const TensorBase places = find(ops::reshape(batch, Dims({call.size(), -1}), at), 1);
  const DimVector ones(keepdim ? static_cast<size_t>(input.dim()) : 0, 1);
  return call.result(ops::reshape(places, call.sized(ones), at));
}

// The places along `dim`, given per sample, as gather() and scatter() want them: in the shape of
// what is read or written, whose size along `dim` is the number of places.
struct SpreadIndex {
  SpreadIndex(const BatchCall& call, const TensorBase& input, int64_t dim, const TensorBase& index,
              CallSite at)
      : dim(call.dim(dim, input)), input(call.along(input)) {
    DimVector shape({call.size()}), narrow({call.size()});
    for (int64_t i = 1; i < this->input.dim(); ++i) {
      const bool is_chosen = i == this->dim;
      shape.push_back(is_chosen ? index.numel() : this->input.sizes()[static_cast<size_t>(i)]);
      narrow.push_back(is_chosen ? index.numel() : 1);
    }
    places = ops::expand(ops::reshape(call.every(index), narrow, at), shape, at);
  }

  int64_t dim;
  TensorBase input;
  TensorBase places;
};

}  // namespace

TensorBase argmax(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                  bool keepdim, CallSite at) {
  return found(call, input, dim, keepdim, at, [&](const TensorBase& batch, int64_t along) {
    return ops::argmax(batch, along, keepdim && dim, at);
  });
}

TensorBase argmin(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                  bool keepdim, CallSite at) {
  return found(call, input, dim, keepdim, at, [&](const TensorBase& batch, int64_t along) {
    return ops::argmin(batch, along, keepdim && dim, at);
  });
}

TensorBase index_select(const BatchCall& call, const TensorBase& input, int64_t dim,
                        const TensorBase& index, CallSite at) {
  if (!call.is_batched(index)) {
    return call.result_along(ops::index_select(call.along(input), call.dim(dim, input), index, at),
                             input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  return call.result_along(ops::gather(spread.input, spread.dim, spread.places, at), input);
}

TensorBase index_add(const BatchCall& call, const TensorBase& input, int64_t dim,
                     const TensorBase& index, const TensorBase& source, const Scalar& alpha,
                     CallSite at) {
  const TensorBase added = call.along(source);
  if (!call.is_batched(index)) {
    return call.result_along(
        ops::index_add(call.along(input), call.dim(dim, input), index, added, alpha, at), input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  return call.result_along(
      ops::scatter_add(spread.input, spread.dim, spread.places,
                       ops::cast(ops::scale(added, alpha, at), added.dtype(), at), at),
      input);
}

TensorBase index_copy(const BatchCall& call, const TensorBase& input, int64_t dim,
                      const TensorBase& index, const TensorBase& source, CallSite at) {
  const TensorBase written = call.along(source);
  if (!call.is_batched(index)) {
    return call.result_along(
        ops::index_copy(call.along(input), call.dim(dim, input), index, written, at), input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  return call.result_along(ops::scatter(spread.input, spread.dim, spread.places, written, at),
                           input);
}

TensorBase index_fill(const BatchCall& call, const TensorBase& input, int64_t dim,
                      const TensorBase& index, const Scalar& value, CallSite at) {
  if (!call.is_batched(index)) {
    return call.result_along(
        ops::index_fill(call.along(input), call.dim(dim, input), index, value, at), input);
  }
  const SpreadIndex spread(call, input, dim, index, at);
  return call.result_along(ops::scatter_value(spread.input, spread.dim, spread.places, value, at),
                           input);
}

namespace {

// The rows of each sample's own table, one after the other.
TensorBase chosen_rows(const BatchCall& call, const TensorBase& weight, const TensorBase& index,
                       CallSite at) {
  const TensorBase tables = call.first(weight);
  if (!call.is_batched(index)) {
    return ops::index_select(tables, 1, ops::reshape(index, Dims({index.numel()}), at), at);
  }
  DimVector shape({call.size(), index.numel()});
  DimVector narrow(shape);
  for (int64_t i = 2; i < tables.dim(); ++i) {
    shape.push_back(tables.sizes()[static_cast<size_t>(i)]);
    narrow.push_back(1);
  }
  const TensorBase places = ops::reshape(call.first(index), narrow, at);
  return ops::gather(tables, 1, ops::expand(places, shape, at), at);
}

// The rows of all samples as those of one table: sample n has those from n * rows on. For indices
// that were checked before.
TensorBase in_one_table(const BatchCall& call, const TensorBase& index, int64_t rows, CallSite at) {
  const TensorBase places = call.every(index);
  const auto options = TensorOptions(places.dtype()).device(places.device());
  const TensorBase starts = ops::arange_step(0, call.size() * rows, rows, options, at);
  DimVector shape({call.size()});
  for (int64_t i = 1; i < places.dim(); ++i) shape.push_back(1);
  return ops::add(places, ops::reshape(starts, shape, at), 1, at);
}

}  // namespace

TensorBase rows_at(const BatchCall& call, const TensorBase& weight, const TensorBase& index,
                   std::optional<int64_t> padding, bool blank, std::string_view caller,
                   std::string_view argument, CallSite at) {
  if (!call.is_batched(weight)) {
    return call.result(
        ops::rows_at(weight, call.first(index), padding, blank, caller, argument, at));
  }
  // Not as one table: an index that is too large must not find the row of another sample.
  if (blank) {
    return call.loop([&](int64_t n) {
      return ops::rows_at(call.sample(weight, n), call.sample(index, n), padding, blank, caller,
                          argument, at);
    });
  }
  const TensorBase rows = chosen_rows(call, weight, index, at);
  DimVector shape = call.sized(index.sizes());
  for (int64_t i = 1; i < weight.dim(); ++i) {
    shape.push_back(weight.sizes()[static_cast<size_t>(i)]);
  }
  return call.result(ops::reshape(rows, shape, at));
}

TensorBase sum_rows(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                    Dims size, std::optional<int64_t> padding, CallSite at) {
  if (size[0] == 0) {
    return call.loop([&](int64_t n) {
      return ops::sum_rows(call.sample(input, n), call.sample(index, n), size, padding, at);
    });
  }
  TensorBase rows = call.every(input);
  TensorBase places = in_one_table(call, index, size[0], at);
  if (padding) {  // which may be no row at all, so zeros go to the first one instead
    TensorBase is_left_out = ops::eq(call.every(index), *padding, at);
    places = ops::masked_fill(places, is_left_out, 0, at);
    while (is_left_out.dim() < rows.dim()) is_left_out = ops::unsqueeze(is_left_out, -1, at);
    rows = ops::masked_fill(rows, is_left_out, 0, at);
  }
  DimVector all(size);
  all[0] *= call.size();
  const TensorBase sums = ops::sum_rows(rows, places, all, {}, at);
  return call.result(ops::reshape(sums, call.sized(size), at));
}

TensorBase masked_fill(const BatchCall& call, const TensorBase& input, const TensorBase& mask,
                       const Operand& value, CallSite at) {
  const int64_t rank = std::max(input.dim(), mask.dim());
  const TensorBase given = call.padded(input, rank);
  const TensorBase chosen = call.padded(mask, rank);
  if (!value.is_tensor() || !call.is_batched(value.tensor())) {
    return call.result(ops::masked_fill(given, chosen, value, at));
  }
  dispatch::meta::filler("masked_fill", input.get(), value);
  const TensorBase values = ops::cast(call.padded(value.tensor(), rank), input.dtype(), at);
  return call.result(ops::where(chosen, values, given, at));
}

}  // namespace eagre::autograd::rules
