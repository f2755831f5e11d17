// Indices of batches, in the form that operators on all samples take.
#pragma once

#include <algorithm>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/ops/arange_step.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/reshape.h>

namespace eagre::autograd::rules {

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

// Lists of coordinates. The samples become one more dimension that is indexed, or not; then
// dimensions move to where a sample has them.
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

}  // namespace eagre::autograd::rules
