// The pieces that batch rules are made of.
#include <eagre/autograd/transforms/batching.h>

#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/permute.h>
#include <eagre/autograd/ops/select.h>
#include <eagre/autograd/ops/squeeze.h>
#include <eagre/autograd/ops/stack.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/view.h>
#include <eagre/base/warn.h>

namespace eagre::autograd {
namespace {

DimVector without(Dims values, int64_t place) {
  DimVector rest;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != static_cast<size_t>(place)) rest.push_back(values[i]);
  }
  return rest;
}

void carry(TensorImpl& sample, TensorBase batch, int64_t dim, Level& level) {
  sample.key.kind = TensorKind::kBatched;
  sample.key.geometry &= static_cast<uint8_t>(~TensorKey::kSmall);  // no fast path takes it
  Carried& carried = make_carried(sample);
  carried.batch_level = IntrusivePtr<Level>::share(&level);
  carried.batch = std::move(batch);
  carried.batch_dim = dim;
}

}  // namespace

TensorBase batched(TensorBase batch, int64_t dim, Level& level) {
  const TensorImpl& all = batch.get();
  auto sample = TensorBase::adopt(new_alias(all));
  set_geometry(sample.get(), IntrusivePtr<Storage>::share(all.storage), without(all.sizes(), dim),
               without(all.strides(), dim), all.offset);
  carry(sample.get(), std::move(batch), dim, level);
  return sample;
}

TensorBase whole_batch(const TensorBase& sample, Level& level) {
  if (!sample.defined()) return {};
  return BatchCall("vmap", &level, CallSite::none()).every(sample);
}

TensorBase all_samples(const TensorBase& tensor) {
  const Carried* carried = carried_by(tensor.get());
  return carried == nullptr || !carried->batch_level ? tensor : all_samples(carried->batch);
}

TensorBase batched_view(TensorBase view, TensorBase batch, Level& level) {
  carry(view.get(), std::move(batch), 0, level);
  return view;
}

TensorVector batched_views(TensorVector views, const TensorVector& batches, Level& level) {
  for (size_t i = 0; i < views.size(); ++i) carry(views[i].get(), batches[i], 0, level);
  return views;
}

namespace {

void check_randomness(const char* op, const Level& level) {
  EAGRE_CHECK(level.randomness() != Randomness::kError, kAutograd, op,
              "(): vmap: called random operation while in randomness error mode. Hint: pass "
              "randomness 'same' (all samples get the same numbers) or 'different' to vmap()");
}

bool carries_batch_of(const TensorBase& tensor, const Level& level) {
  const Carried* carried = carried_by(tensor.get());
  return carried != nullptr && carried->batch_level.get() == &level;
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

const Carried* BatchCall::batch_of(const TensorBase& tensor) const {
  if (!tensor.defined()) return nullptr;
  const Carried* carried = carried_by(tensor.get());
  return carried != nullptr && carried->batch_level.get() == level_ ? carried : nullptr;
}

TensorBase BatchCall::first(const TensorBase& tensor) const {
  const Carried* carried = batch_of(tensor);
  if (carried == nullptr) return tensor;
  const TensorBase& batch = carried->batch;
  if (carried->batch_dim == 0) return batch;
  DimVector order({carried->batch_dim});
  for (int64_t i = 0; i < batch.dim(); ++i) {
    if (i != carried->batch_dim) order.push_back(i);
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
  const Carried* carried = batch_of(tensor);
  if (carried == nullptr) return tensor;
  return ops::select(carried->batch, carried->batch_dim, n, at_);
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
