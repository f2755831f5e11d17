// Batches of rows of tables.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/arange_step.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/rows_at.h>
#include <eagre/ops/sum_rows.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::autograd::rules {
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

}  // namespace eagre::autograd::rules
