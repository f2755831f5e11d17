// Joining and filling, written with other operators.
#include <algorithm>

#include <eagre/autograd/composites/as_new_tensor.h>
#include <eagre/autograd/composites/simple_join.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/cat_grad.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/fill.h>
#include <eagre/autograd/ops/fill_tensor.h>
#include <eagre/autograd/ops/flip.h>
#include <eagre/autograd/ops/flip_elements.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/permute.h>
#include <eagre/autograd/ops/repeat.h>
#include <eagre/autograd/ops/roll.h>
#include <eagre/autograd/ops/roll_elements.h>
#include <eagre/autograd/ops/stack.h>
#include <eagre/autograd/ops/tile.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/zero.h>
#include <eagre/autograd/ops/zeros.h>
#include <eagre/autograd/transforms/carried.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>

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

bool are_channels_last(TensorList tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const TensorBase& tensor) {
    return tensor.numel() != 0 && !tensor.get().is_contiguous() &&
           is_channels_last(tensor.sizes(), tensor.strides());
  });
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
  if (dims.values().empty() || !are_channels_last({&input, 1})) {
    return roll_elements(input, shifts, dims, at);
  }
  const DimVector order = order_in_memory(input.get());
  return in_order(input, order, at, [&](const TensorBase& rows, const DimVector& places) {
    DimVector moved;
    return move_dims(dims.values(), places, moved) ? roll_elements(rows, shifts, Dims(moved), at)
                                                   : roll_elements(input, shifts, dims, at);
  });
}

TensorVector cat_grad(const TensorBase& g, const ShapeList& sizes, int64_t dim, CallSite at) {
  TensorVector parts;
  parts.reserve(sizes.size());
  int64_t start = 0;
  for (const DimVector& size : sizes) {
    if (size.size() == 1 && size[0] == 0) {  // cat left it out, whatever the shape of the others
      parts.push_back(zeros(size, TensorOptions(g.dtype()).device(g.device()), at));
      continue;
    }
    const int64_t length = size[wrap_dim("cat", "dim", dim, static_cast<int64_t>(size.size()))];
    parts.push_back(narrow(g, dim, start, length, at));
    start += length;
  }
  return parts;
}

TensorBase stack(TensorList tensors, int64_t dim, CallSite at) {
  if (TensorBase joined = joined_simply(Join::kStack, tensors, dim); joined.defined()) {
    return joined;
  }
  const SiteScope scope(at);
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument,
              "stack(): argument 'tensors': expected at least one tensor, got an empty list");
  const Dims first = tensors[0].sizes();
  const int64_t place = wrap_dim("stack", "dim", dim, static_cast<int64_t>(first.size()) + 1);
  TensorVector rows;
  rows.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].sizes() != first) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"stack", "tensors", concat("tensors of one shape, ", first),
                            concat("shape ", tensors[i].sizes(), " at position ", i)});
    }
    rows.push_back(unsqueeze(tensors[i], place, at));
  }
  if (place != 0 || !are_channels_last(tensors)) return cat(rows, place, at);
  for (TensorBase& row : rows) row = permute(row, {0, 1, 3, 4, 2}, at);
  const TensorBase moved = cat(rows, 0, at);
  return as_new_tensor(permute(moved, {0, 1, 4, 2, 3}, at), moved);
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

TensorBase fill_tensor(const TensorBase& input, const TensorBase& value, CallSite at) {
  const SiteScope scope(at);
  if (value.dim() != 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"fill", "value", "a number or a 0-dim tensor",
                          concat("shape ", value.sizes())});
  }
  // `input` may be the same for all samples of a batch that `value` is not the same for.
  if (autograd::are_transformed(value)) {
    return clone(expand(cast(value, input.dtype(), at), input.sizes(), at), at);
  }
  TensorBase result = clone(input, at);
  copy_(result, value, false, at);
  return result;
}

void zero_(const TensorBase& input, CallSite at) { fill_(input, 0, at); }

}  // namespace eagre::ops
