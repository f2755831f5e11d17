// Batches of operators that take lists of coordinates. The samples become one more dimension that
// is indexed, or not; then dimensions move to where a sample has them.
#include <eagre/autograd/ops/arange_step.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/gather.h>
#include <eagre/autograd/ops/index_accumulate.h>
#include <eagre/autograd/ops/index_add.h>
#include <eagre/autograd/ops/index_select.h>
#include <eagre/autograd/ops/index_set.h>
#include <eagre/autograd/ops/index_tensors.h>
#include <eagre/autograd/ops/permute.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/scatter_add.h>
#include <eagre/autograd/ops/take.h>
#include <eagre/autograd/transforms/rules.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::autograd::rules {
namespace {

// What a sample's indices look like.
struct Given {
  explicit Given(TensorList indices) {
    size_t count = 0, last = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
      if (!indices[i].defined()) continue;
      if (count++ == 0) first = static_cast<int64_t>(i);
      last = i;
      rank = std::max(rank, indices[i].dim());
    }
    is_any = count != 0;
    are_adjacent = is_any && last - static_cast<size_t>(first) + 1 == count;
  }
  int64_t rank = 0;   // of what the indices broadcast to
  int64_t first = 0;  // where the first one stands
  bool is_any = false;
  bool are_adjacent = false;  // then the result has them where they stand, else before the rest
};

class BatchedIndices {
 public:
  // `separates`: the tensor that is indexed has samples, too.
  BatchedIndices(const BatchCall& call, TensorList indices, bool separates, CallSite at) : at_(at) {
    const Given given(indices);
    bool any_batched = false;
    for (const TensorBase& index : indices) any_batched |= call.is_batched(index);
    if (separates)
      indices_.push_back(any_batched ? samples(call, indices, given.rank) : TensorBase());
    for (const TensorBase& index : indices) {
      indices_.push_back(index.defined() ? call.padded(index, given.rank) : TensorBase());
    }
    if (!given.is_any) return;
    if (!any_batched) {
      if (!given.are_adjacent) move(given.rank, 1, 0);
    } else if (separates) {
      if (given.are_adjacent) move(1 + given.rank, given.first, 1);
    } else if (given.are_adjacent) {
      move(given.first, 1, 0);
    }
  }

  const TensorVector& indices() const { return indices_; }
  // From the order of dimensions that the operator has to samples first, or back.
  TensorBase to_samples(const TensorBase& result) const {
    return moved(result, from_, count_, to_);
  }
  TensorBase from_samples(const TensorBase& values) const {
    return moved(values, to_, count_, from_);
  }

 private:
  TensorBase samples(const BatchCall& call, TensorList indices, int64_t rank) const {
    Device device;
    for (const TensorBase& index : indices) {
      if (index.defined()) device = index.device();
    }
    const auto options = TensorOptions(kInt64).device(device);
    DimVector shape({call.size()});
    for (int64_t i = 0; i < rank; ++i) shape.push_back(1);
    return ops::reshape(ops::arange_step(0, call.size(), 1, options, at_), shape, at_);
  }

  // The `count` dimensions from `from` on belong at `to`.
  void move(int64_t from, int64_t count, int64_t to) {
    from_ = from;
    count_ = count;
    to_ = to;
  }
  TensorBase moved(const TensorBase& tensor, int64_t from, int64_t count, int64_t to) const {
    if (from == to || count == 0) return tensor;
    DimVector rest;
    for (int64_t i = 0; i < tensor.dim(); ++i) {
      if (i < from || i >= from + count) rest.push_back(i);
    }
    DimVector order;
    for (int64_t i = 0; i < tensor.dim(); ++i) {
      const bool is_moved = i >= to && i < to + count;
      order.push_back(is_moved ? from + i - to : rest[static_cast<size_t>(i < to ? i : i - count)]);
    }
    return ops::permute(tensor, order, at_);
  }

  CallSite at_;
  TensorVector indices_;
  int64_t from_ = 0, count_ = 0, to_ = 0;
};

using Write = TensorBase (*)(const TensorBase&, TensorList, const TensorBase&, CallSite);

TensorBase written(const BatchCall& call, const TensorBase& input, TensorList indices,
                   const TensorBase& values, Write write, CallSite at) {
  const BatchedIndices batched(call, indices, true, at);
  const DimVector shape = dispatch::meta::index_tensors("index_put", input.get(), indices);
  const TensorBase whole = call.padded(values, static_cast<int64_t>(shape.size()));
  const TensorBase fitted = batched.from_samples(ops::expand(whole, call.sized(shape), at));
  return call.result(write(call.every(input), batched.indices(), fitted, at));
}

}  // namespace

TensorBase index_tensors(const BatchCall& call, const TensorBase& input, TensorList indices,
                         CallSite at) {
  const BatchedIndices batched(call, indices, call.is_batched(input), at);
  const TensorBase taken = ops::index_tensors(call.first(input), batched.indices(), at);
  return call.result(batched.to_samples(taken));
}

TensorBase index_set(const BatchCall& call, const TensorBase& input, TensorList indices,
                     const TensorBase& values, CallSite at) {
  return written(call, input, indices, values, ops::index_set, at);
}

TensorBase index_accumulate(const BatchCall& call, const TensorBase& input, TensorList indices,
                            const TensorBase& values, CallSite at) {
  return written(call, input, indices, values, ops::index_accumulate, at);
}

// --- places among all elements of a sample ---

TensorBase take(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                CallSite at) {
  if (!call.is_batched(input)) return call.result(ops::take(input, call.first(index), at));
  const DimVector flat({call.size(), input.numel()});
  const TensorBase rows = ops::reshape(call.first(input), flat, at);
  const TensorBase taken =
      call.is_batched(index)
          ? ops::gather(rows, 1,
                        ops::reshape(call.first(index), Dims({call.size(), index.numel()}), at), at)
          : ops::index_select(rows, 1, ops::reshape(index, Dims({index.numel()}), at), at);
  return call.result(ops::reshape(taken, call.sized(index.sizes()), at));
}

TensorBase add_at(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                  const TensorBase& source, CallSite at) {
  const auto rows = [&](const TensorBase& tensor) {
    return ops::reshape(call.every(tensor), Dims({call.size(), tensor.numel()}), at);
  };
  const TensorBase sums =
      call.is_batched(index)
          ? ops::scatter_add(rows(input), 1, rows(index), rows(source), at)
          : ops::index_add(rows(input), 1, ops::reshape(index, Dims({index.numel()}), at),
                           rows(source), 1, at);
  return call.result(ops::reshape(sums, call.sized(input.sizes()), at));
}

}  // namespace eagre::autograd::rules
