// unique: elements or slices that differ, in order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/nonzero.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/any.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/check_ordered.h>
#include <eagre/ops/cumsum.h>
#include <eagre/ops/flatten.h>
#include <eagre/ops/full.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/movedim.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter.h>
#include <eagre/ops/sort.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/to_device.h>
#include <eagre/ops/unique.h>
#include <eagre/ops/unique_consecutive.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

using Triple = std::array<TensorBase, 3>;

TensorOptions whole_numbers(const TensorBase& like) {
  return TensorOptions(kInt64).device(like.device());
}

// Slices, with equal ones beside each other.
struct Ordered {
  TensorBase slices;
  TensorBase order;  // where each came from; undefined: from its own place
  DimVector shape;   // of the inverse
  int64_t dim = 0;   // where the slices lie in the result
};

struct Wanted {
  bool inverse, counts;
};

// For each slice: is it another than the one before?
TensorBase are_first(const TensorBase& slices, CallSite at) {
  const int64_t count = slices.sizes()[0];
  const TensorOptions options = TensorOptions(kBool).device(slices.device());
  TensorBase one = full({std::min<int64_t>(count, 1)}, true, options, at);
  if (count < 2) return one;
  const TensorBase before = narrow(slices, 0, 0, count - 1, at);
  const TensorBase differs = ne(narrow(slices, 0, 1, count - 1, at), before, at);
  const DimVector rows{count - 1, slices.numel() / count};
  return cat({one, any(reshape(differs, rows, at), 1, false, at)}, 0, at);
}

// Equal neighbours as one.
Triple grouped(const char* op, const Ordered& given, const Wanted& wanted, CallSite at) {
  TensorBase first;
  {
    const NoGradGuard guard;
    first = are_first(given.slices, at);
  }
  const TensorBase starts = dispatch::nonzero_places(op, first);
  const TensorBase values = index_select(given.slices, 0, starts, at);
  const TensorBase nothing = zeros({0}, whole_numbers(values), at);
  Triple result{given.dim == 0 ? values : movedim(values, 0, given.dim, at), nothing, nothing};
  const int64_t count = given.slices.sizes()[0];
  if (wanted.inverse) {
    TensorBase group = sub(cumsum(first, 0, {}, at), 1, 1, at);
    if (given.order.defined()) group = scatter(group, 0, given.order, group, at);
    result[1] = reshape(group, given.shape, at);
  }
  if (wanted.counts) {
    const TensorBase end = full({std::min<int64_t>(count, 1)}, count, whole_numbers(values), at);
    const TensorBase ends = cat({starts, end}, 0, at);
    const int64_t found = starts.sizes()[0];
    const TensorBase last = narrow(ends, 0, std::min<int64_t>(count, 1), found, at);
    result[2] = sub(last, narrow(ends, 0, 0, found, at), 1, at);
  }
  return result;
}

Ordered sorted_elements(const TensorBase& input, CallSite at) {
  const TensorBase flat = flatten(input, 0, -1, at);
  const auto [values, order] = sort(flat, 0, false, true, at);
  return {values, order, input.sizes(), 0};
}

// The order of rows, by their first elements that differ. Elements are compared by their number
// among all distinct ones, so that one comparison serves every dtype.
TensorBase order_of_rows(const TensorBase& slices, CallSite at) {
  const NoGradGuard guard;
  const Wanted wanted{true, false};
  const TensorBase numbers = grouped("unique", sorted_elements(slices, at), wanted, at)[1];
  const TensorBase table = dispatch::as_contiguous(dispatch::on_device(numbers, Device()));
  const int64_t rows = slices.sizes()[0];
  const int64_t width = rows == 0 ? 0 : table.numel() / rows;
  const int64_t* data = table.data_ptr<int64_t>();
  const DimVector sizes{rows};
  const TensorBase order = TensorBase::adopt(new_tensor(sizes, kInt64, Device()));
  int64_t* places = order.data_ptr<int64_t>();
  std::iota(places, places + rows, int64_t{0});
  std::stable_sort(places, places + rows, [&](int64_t a, int64_t b) {
    const int64_t* x = data + a * width;
    const int64_t* y = data + b * width;
    return std::lexicographical_compare(x, x + width, y, y + width);
  });
  return to_device(order, slices.device(), at);
}

Ordered slices_along(const char* op, const TensorBase& input, int64_t dim, CallSite at) {
  const int64_t d = wrap_dim(op, "dim", dim, input.dim());
  const TensorBase slices = input.dim() == 0 ? unsqueeze(input, 0, at) : movedim(input, d, 0, at);
  return {slices, {}, {slices.sizes()[0]}, d};
}

}  // namespace

Triple unique(const TensorBase& input, bool /*sorted*/, bool return_inverse, bool return_counts,
              std::optional<int64_t> dim, CallSite at) {
  const SiteScope scope(at);
  check_ordered("unique", input);
  const Wanted wanted{return_inverse, return_counts};
  if (!dim) return grouped("unique", sorted_elements(input, at), wanted, at);
  Ordered given = slices_along("unique", input, *dim, at);
  given.order = order_of_rows(given.slices, at);
  given.slices = index_select(given.slices, 0, given.order, at);
  return grouped("unique", given, wanted, at);
}

Triple unique_consecutive(const TensorBase& input, bool return_inverse, bool return_counts,
                          std::optional<int64_t> dim, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "unique_consecutive";
  input.get(op, "input");
  const Ordered given = dim ? slices_along(op, input, *dim, at)
                            : Ordered{flatten(input, 0, -1, at), {}, input.sizes(), 0};
  return grouped(op, given, {return_inverse, return_counts}, at);
}

}  // namespace eagre::ops
