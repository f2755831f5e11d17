// Repeated, turned, rolled and diagonal tensors that are written with other operators.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/as_new_tensor.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/channels_last.h>
#include <eagre/ops/check_rank.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/clone_format.h>
#include <eagre/ops/cumsum.h>
#include <eagre/ops/diag.h>
#include <eagre/ops/diag_embed.h>
#include <eagre/ops/diagflat.h>
#include <eagre/ops/diagonal.h>
#include <eagre/ops/diagonal_grad.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/flatten.h>
#include <eagre/ops/flip.h>
#include <eagre/ops/flip_elements.h>
#include <eagre/ops/fliplr.h>
#include <eagre/ops/flipud.h>
#include <eagre/ops/full.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/repeat.h>
#include <eagre/ops/repeat_interleave.h>
#include <eagre/ops/repeat_interleave_by.h>
#include <eagre/ops/repeat_interleave_counts.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/roll.h>
#include <eagre/ops/roll_elements.h>
#include <eagre/ops/rot90.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/tile.h>
#include <eagre/ops/transpose.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/view.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

// The dimensions in the order of memory, if that is dense but not row-major; else nothing.
DimVector order_in_memory(const TensorImpl& tensor) {
  if (tensor.is_contiguous() || tensor.numel == 0 || !tensor.is_dense()) return {};
  DimVector order;
  for (int64_t d = 0; d < tensor.key.rank; ++d) order.push_back(d);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return tensor.strides()[a] > tensor.strides()[b]; });
  return order;
}

// f of the tensor with its dimensions in another order, and the result in the old one.
template <class F>
TensorBase in_order(const TensorBase& input, const DimVector& order, CallSite at, const F& f) {
  DimVector back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  const TensorBase moved = f(permute(input, order, at), back);
  return as_new_tensor(permute(moved, back, at), moved);
}

// The places of `dims` in another order. False if one does not exist, which is found later.
bool move_dims(Dims dims, const DimVector& places, DimVector& moved) {
  const auto rank = static_cast<int64_t>(places.size());
  for (int64_t d : dims) {
    if (d < -rank || d >= rank) return false;
    moved.push_back(places[static_cast<size_t>(d < 0 ? d + rank : d)]);
  }
  return true;
}

}  // namespace

// Keeps the order of memory, as PyTorch does.
TensorBase flip(const TensorBase& input, Dims dims, CallSite at) {
  const DimVector order = order_in_memory(input.get("flip", "input"));
  if (order.empty()) return flip_elements(input, dims, at);
  return in_order(input, order, at, [&](const TensorBase& rows, const DimVector& places) {
    DimVector moved;
    return move_dims(dims, places, moved) ? flip_elements(rows, moved, at)
                                          : flip_elements(input, dims, at);
  });
}

// Keeps channels last, as PyTorch does.
TensorBase roll(const TensorBase& input, const OptionalDims& shifts, const OptionalDims& dims,
                CallSite at) {
  input.get("roll", "input");
  if (dims.values().empty() || !has_channels_last(input)) {
    return roll_elements(input, shifts, dims, at);
  }
  const DimVector order = order_in_memory(input.get());
  return in_order(input, order, at, [&](const TensorBase& rows, const DimVector& places) {
    DimVector moved;
    return move_dims(dims.values(), places, moved) ? roll_elements(rows, shifts, Dims(moved), at)
                                                   : roll_elements(input, shifts, dims, at);
  });
}

TensorBase rot90(const TensorBase& input, int64_t k, Dims dims, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() >= 2, kInvalidArgument,
              "rot90(): argument 'input': expected total dims >= 2, but got ", input.dim());
  if (dims.size() != 2) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"rot90", "dims", "two different dimensions", to_string(dims)});
  }
  const int64_t first = wrap_dim("rot90", "dims", dims[0], input.dim());
  const int64_t second = wrap_dim("rot90", "dims", dims[1], input.dim());
  if (first == second) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"rot90", "dims", "two different dimensions", to_string(dims)});
  }
  switch ((k % 4 + 4) % 4) {
    case 1: return transpose(flip(input, {second}, at), first, second, at);
    case 2: return flip(input, {first, second}, at);
    case 3: return transpose(flip(input, {first}, at), first, second, at);
    default: return clone(input, at);
  }
}

TensorBase fliplr(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_rank_at_least("fliplr", input, 2);
  return flip(input, {1}, at);
}

TensorBase flipud(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_rank_at_least("flipud", input, 1);
  return flip(input, {0}, at);
}

TensorBase tile(const TensorBase& input, Dims dims, CallSite at) {
  DimVector repeats;
  for (auto i = static_cast<int64_t>(dims.size()); i < input.dim(); ++i) repeats.push_back(1);
  for (int64_t count : dims) {
    if (count < 0) {
      const SiteScope scope(at);
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"tile", "dims", "numbers that are not negative", to_string(dims)});
    }
    repeats.push_back(count);
  }
  return repeat(input, repeats, at);
}

namespace {

// For each element its number, as often as it is to be repeated.
TensorBase repeated_places(const TensorBase& counts, std::optional<int64_t> output_size,
                           CallSite at) {
  const char* const op = "repeat_interleave";
  if (counts.dtype() != kInt64 && counts.dtype() != kInt32) {
    invalid_argument(op, "repeats", "a tensor of int64 or int32", concat(counts.dtype()));
  }
  EAGRE_CHECK(all_true(ge(counts, 0, at), at), kInvalidArgument,
              "repeat_interleave(): argument 'repeats': repeats can not be negative");
  const TensorBase ends = cumsum(counts, 0, kInt64, at);
  const int64_t total = as_integer(sum(counts, {}, false, {}, at), at);
  if (output_size && *output_size != total) {
    invalid_argument(op, "output_size", concat(total, ", the sum of 'repeats'"),
                     concat(*output_size));
  }
  const TensorOptions options = TensorOptions(kInt64).device(counts.device());
  const TensorBase starts = zeros({total + 1}, options, at);
  const TensorBase steps = scatter_add(starts, 0, ends, full(ends.sizes(), 1, options, at), at);
  return narrow(cumsum(steps, 0, {}, at), 0, 0, total, at);
}

}  // namespace

TensorBase repeat_interleave_counts(const TensorBase& repeats, std::optional<int64_t> output_size,
                                    CallSite at) {
  const SiteScope scope(at);
  check_vector("repeat_interleave", "repeats", repeats);
  return cast(repeated_places(repeats, output_size, at), repeats.dtype(), at);
}

TensorBase repeat_interleave_by(const TensorBase& input, const TensorBase& repeats,
                                std::optional<int64_t> dim, std::optional<int64_t> output_size,
                                CallSite at) {
  const SiteScope scope(at);
  const char* const op = "repeat_interleave";
  const bool is_flat = !dim || input.dim() == 0;
  if (dim) wrap_dim(op, "dim", *dim, input.dim());
  const TensorBase x = is_flat ? flatten(input, 0, -1, at) : input;
  const int64_t d = is_flat ? 0 : wrap_dim(op, "dim", *dim, input.dim());
  if (repeats.dim() > 1) {
    invalid_argument(op, "repeats", "a 0-dim tensor or a vector",
                     concat("shape ", repeats.sizes()));
  }
  if (repeats.numel() != 1 && repeats.numel() != x.sizes()[d]) {
    invalid_argument(op, "repeats",
                     concat("one number for each of the ", x.sizes()[d], " elements"),
                     concat(repeats.numel()));
  }
  const TensorBase counts = expand(reshape(repeats, {-1}, at), {x.sizes()[d]}, at);
  return index_select(x, d, repeated_places(counts, output_size, at), at);
}

TensorBase repeat_interleave(const TensorBase& input, int64_t repeats, std::optional<int64_t> dim,
                             std::optional<int64_t> output_size, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "repeat_interleave";
  if (repeats < 0)
    invalid_argument(op, "repeats", "a number that is not negative", concat(repeats));
  const int64_t given = dim ? wrap_dim(op, "dim", *dim, input.dim()) : 0;
  const TensorBase x = dim && input.dim() > 0 ? input : flatten(input, 0, -1, at);
  DimVector spread;
  DimVector sizes = x.sizes();
  for (int64_t d = 0; d < x.dim(); ++d) {
    spread.push_back(x.sizes()[d]);
    if (d == given) spread.push_back(repeats);
  }
  sizes[given] *= repeats;
  if (output_size && *output_size != sizes[given]) {
    invalid_argument(op, "output_size", concat(sizes[given]), concat(*output_size));
  }
  checked_numel(op, spread);
  const TensorBase repeated = expand(unsqueeze(x, given + 1, at), spread, at);
  return view(clone_format(repeated, MemoryFormat::kContiguous, at), sizes, at);
}

TensorBase diag_embed(const TensorBase& input, int64_t offset, int64_t dim1, int64_t dim2,
                      CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() > 0, kIndex,
              "diag_embed(): argument 'input' must have at least one dimension, but got a 0-dim "
              "tensor");
  const int64_t rank = input.dim() + 1;
  const int64_t first = wrap_dim("diag_embed", "dim1", dim1, rank);
  const int64_t second = wrap_dim("diag_embed", "dim2", dim2, rank);
  EAGRE_CHECK(first != second, kInvalidArgument,
              "diag_embed(): arguments 'dim1' and 'dim2' must differ, but got ", dim1, " and ",
              dim2);
  int64_t size = 0;
  const bool is_lowest = offset == INT64_MIN;
  if (is_lowest || __builtin_add_overflow(input.sizes().back(), std::abs(offset), &size)) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"diag_embed", "offset", "a number of a possible size", concat(offset)});
  }
  DimVector sizes;
  int64_t next = 0;
  for (int64_t d = 0; d < rank; ++d) {
    const bool is_new = d == first || d == second;
    sizes.push_back(is_new ? size : input.sizes()[next]);
    if (!is_new) ++next;
  }
  checked_numel("diag_embed", sizes);
  return diagonal_grad(input, sizes, offset, first, second, at);
}

TensorBase diag(const TensorBase& input, int64_t diagonal, CallSite at) {
  const SiteScope scope(at);
  if (input.dim() == 1) return diag_embed(input, diagonal, 0, 1, at);
  EAGRE_CHECK(input.dim() == 2, kInvalidArgument,
              "diag(): argument 'input': supports 1D or 2D tensors, but got shape ", input.sizes());
  return clone(ops::diagonal(input, diagonal, 0, 1, at), at);
}

TensorBase diagflat(const TensorBase& input, int64_t offset, CallSite at) {
  const SiteScope scope(at);
  return diag_embed(flatten(input, 0, -1, at), offset, 0, 1, at);
}

}  // namespace eagre::ops
