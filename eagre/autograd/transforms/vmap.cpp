// The pieces that batch rules are made of.
#include <eagre/autograd/transforms/vmap.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/select.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/view.h>

namespace eagre::autograd {
TensorBase whole_batch(const TensorBase& sample, Level& level) {
  if (!sample.defined()) return {};
  return BatchCall("vmap", &level, CallSite::none()).every(sample);
}

TensorBase batched_view(TensorBase view, TensorBase batch, Level& level) {
  set_batch(view.get(), std::move(batch), 0, level);
  return view;
}

TensorVector batched_views(TensorVector views, const TensorVector& batches, Level& level) {
  for (size_t i = 0; i < views.size(); ++i) set_batch(views[i].get(), batches[i], 0, level);
  return views;
}

namespace {

void check_randomness(const char* op, const Level& level) {
  EAGRE_CHECK(level.randomness() != Randomness::kError, kAutograd, op,
              "(): vmap: called random operation while in randomness error mode. Hint: pass "
              "randomness 'same' (all samples get the same numbers) or 'different' to vmap()");
}

bool carries_batch_of(const TensorBase& tensor, const Level& level) {
  const TransformMeta* meta = transform_meta_of(tensor.get());
  return meta != nullptr && meta->batch_level.get() == &level;
}

}  // namespace

Level* random_level(const char* op) {
  for (Level* level = innermost_level(); level != nullptr; level = level->outer()) {
    if (level->is_dual()) continue;
    check_randomness(op, *level);
    if (level->randomness() == Randomness::kDifferent) return level;
  }
  return nullptr;
}

Level* random_level(const char* op, const TensorBase& input) {
  for (Level* level = innermost_level(); level != nullptr; level = level->outer()) {
    if (level->is_dual()) continue;
    check_randomness(op, *level);
    if (level->randomness() == Randomness::kDifferent || carries_batch_of(input, *level)) {
      return level;
    }
  }
  return nullptr;
}

void refuse_same(const char* op) {
  raise(ErrorKind::kAutograd,
        concat(op,
               "(): Vmap does not currently support same randomness with a batched tensor input. "
               "Hint: pass randomness 'different' to vmap()"));
}

const TransformMeta* BatchCall::batch_of(const TensorBase& tensor) const {
  if (!tensor.defined()) return nullptr;
  const TransformMeta* meta = transform_meta_of(tensor.get());
  return meta != nullptr && meta->batch_level.get() == level_ ? meta : nullptr;
}

TensorBase BatchCall::first(const TensorBase& tensor) const {
  const TransformMeta* meta = batch_of(tensor);
  if (meta == nullptr) return tensor;
  const TensorBase& batch = meta->batch;
  if (meta->batch_dim == 0) return batch;
  DimVector order({meta->batch_dim});
  for (int64_t i = 0; i < batch.dim(); ++i) {
    if (i != meta->batch_dim) order.push_back(i);
  }
  return ops::permute(batch, order, at_);
}

TensorBase BatchCall::every(const TensorBase& tensor) const {
  if (!tensor.defined() || is_batched(tensor)) return first(tensor);
  return ops::expand(tensor, sized(tensor.sizes()), at_);
}

TensorVector BatchCall::every(TensorList tensors) const {
  TensorVector batches;
  for (const TensorBase& tensor : tensors) batches.push_back(every(tensor));
  return batches;
}

TensorBase BatchCall::along(const TensorBase& tensor) const {
  TensorBase batch = every(tensor);
  return tensor.defined() && tensor.dim() == 0 ? ops::unsqueeze(batch, 1, at_) : batch;
}

TensorBase BatchCall::number_as(const TensorBase& number, const TensorBase& view) const {
  TensorBase batch = first(number);
  if (view.numel() == 0) batch = ops::narrow(ops::unsqueeze(batch, 1, at_), 1, 0, 0, at_);
  return ops::view(batch, sized(view.sizes()), at_);
}

TensorBase BatchCall::padded(const TensorBase& tensor, int64_t rank) const {
  TensorBase batch = first(tensor);
  if (!is_batched(tensor) || tensor.dim() >= rank) return batch;
  DimVector sizes({size()});
  for (int64_t i = tensor.dim(); i < rank; ++i) sizes.push_back(1);
  for (const int64_t size : tensor.sizes()) sizes.push_back(size);
  return ops::view(batch, sizes, at_);
}

TensorBase BatchCall::aligned(const TensorBase& tensor) const {
  if (!tensor.defined()) return tensor;
  TensorBase batch = padded(tensor, rank_);
  if (dtype_ && batch.dtype() != *dtype_) batch = ops::cast(batch, *dtype_, at_);
  return batch;
}

TensorBase BatchCall::sample(const TensorBase& tensor, int64_t n) const {
  const TransformMeta* meta = batch_of(tensor);
  if (meta == nullptr) return tensor;
  return ops::select(meta->batch, meta->batch_dim, n, at_);
}

TensorVector BatchCall::sample(TensorList tensors, int64_t n) const {
  TensorVector samples;
  for (const TensorBase& tensor : tensors) samples.push_back(sample(tensor, n));
  return samples;
}

int64_t BatchCall::dim(int64_t dim, const TensorBase& of, int64_t more) const {
  return wrap_dim(op_, "dim", dim, std::max<int64_t>(of.dim() + more, 1)) + 1;
}

DimVector BatchCall::dims(Dims dims, const TensorBase& of) const {
  DimVector shifted;
  for (const int64_t each : dims) shifted.push_back(dim(each, of));
  return shifted;
}

DimVector BatchCall::dims(const OptionalDims& dims, const TensorBase& of) const {
  if (dims.given() && !dims.values().empty()) return this->dims(dims.values(), of);
  DimVector all;
  for (int64_t i = 0; i < std::max<int64_t>(of.dim(), 1); ++i) all.push_back(i + 1);
  return all;
}

DimVector BatchCall::led_by(int64_t value, Dims rest) {
  DimVector values({value});
  for (const int64_t each : rest) values.push_back(each);
  return values;
}

void BatchCall::drop_extra(TensorBase& batch) const {
  if (batch.dim() == 2) batch = ops::squeeze(batch, 1, at_);
}

void BatchCall::begin_loop() const {
  EAGRE_CHECK(size() > 0, kInvalidArgument, op_,
              "(): it has no batch rule, so vmap() cannot call it for a batch without samples");
  warn_once(
      concat("loop over a batch: ", op_),
      concat(op_, "() has no batch rule: vmap() calls it once for every sample, which is slow"));
}

TensorBase BatchCall::stacked(const TensorVector& results) const {
  return ops::stack(results, 0, at_);
}

}  // namespace eagre::autograd
