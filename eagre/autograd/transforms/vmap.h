// vmap: an operator on tensors that carry batches becomes one on the batches. How, the `batch`
// field of its record says; the rules are generated (gen/ops in the build tree) of these
// pieces, those that need a thought of their own by hand (eagre/ops/batch_rules.h).
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/core/promotion.h>

namespace eagre::autograd {

// The batch that a tensor carries, samples first; for one that has none, the same for every sample.
// Undefined stays undefined.
EAGRE_API TensorBase whole_batch(const TensorBase& sample, Level& level);
// What a view operator made of a tensor that carries a batch, and the same view of the batch.
EAGRE_API TensorBase batched_view(TensorBase view, TensorBase batch, Level& level);
EAGRE_API TensorVector batched_views(TensorVector views, const TensorVector& batches, Level& level);

// The innermost vmap, in which a random operator makes different numbers for every sample, or (of
// an `input` that carries a batch) the same; null if there is nothing to do. Raises where random
// operators are not allowed.
EAGRE_API Level* random_level(const char* op);
EAGRE_API Level* random_level(const char* op, const TensorBase& input);
// Raises: numbers whose distribution differs from sample to sample cannot be the same for all.
[[noreturn]] EAGRE_API EAGRE_COLD void refuse_same(const char* op);

// A number, or a tensor that it keeps.
struct OperandValue {
  OperandValue(TensorBase value) : tensor(std::move(value)) {}             // NOLINT: either
  OperandValue(const Scalar& number) : number(number), is_number(true) {}  // NOLINT
  operator Operand() const {                                               // NOLINT: what it is for
    return is_number ? Operand(number) : Operand(tensor);
  }
  TensorBase tensor;
  Scalar number = 0;
  bool is_number = false;
};

// One call of an operator with some of its arguments in a batch. While it exists, the levels
// outside of the batch are those that are seen.
class EAGRE_API BatchCall {
 public:
  // `level`: not null.
  BatchCall(const char* op, Level* level, CallSite at)
      : op_(op), level_(level), at_(at), below_(level->outer()) {}

  int64_t size() const { return level_->batch_size(); }
  Level& level() const { return *level_; }
  bool is_batched(const TensorBase& tensor) const { return batch_of(tensor) != nullptr; }

  // --- arguments ---
  // With the samples first; a tensor that has none as it is.
  TensorBase first(const TensorBase& tensor) const;
  // The same, but one tensor for all samples is repeated.
  TensorBase every(const TensorBase& tensor) const;
  TensorVector every(eagre::TensorList tensors) const;
  // The same for operators along dimensions, which numbers have one of.
  TensorBase along(const TensorBase& tensor) const;
  // Samples first and then as many dimensions as `rank`.
  TensorBase padded(const TensorBase& tensor, int64_t rank) const;
  // Of a number, along the dimension that it does not have, what has the shape of `view`.
  TensorBase number_as(const TensorBase& number, const TensorBase& view) const;
  // One sample.
  TensorBase sample(const TensorBase& tensor, int64_t n) const;
  OperandValue sample(const Operand& operand, int64_t n) const {
    return operand.is_tensor() ? OperandValue(sample(operand.tensor(), n))
                               : OperandValue(operand.scalar());
  }
  TensorVector sample(eagre::TensorList tensors, int64_t n) const;

  // --- arguments of pointwise operators, which broadcast ---
  template <class... Arguments>
  void align(const Arguments&... arguments) {
    (widen(arguments), ...);
  }
  // Numbers of samples have a dimension in the batch, so promotion must happen before.
  template <class... Arguments>
  void promote(const Arguments&... arguments) {
    Promotion promotion;
    (promotion.add(arguments), ...);
    dtype_ = promotion.result();
  }
  TensorBase aligned(const TensorBase& tensor) const;
  TensorBase padded_mask(const TensorBase& mask) const { return padded(mask, rank_); }
  OperandValue aligned(const Operand& operand) const {
    return operand.is_tensor() ? OperandValue(aligned(operand.tensor()))
                               : OperandValue(operand.scalar());
  }

  // --- dimensions and sizes of samples as those of the batch ---
  int64_t dim(int64_t dim, const TensorBase& of, int64_t more = 0) const;
  DimVector dims(Dims dims, const TensorBase& of) const;
  DimVector dims(const OptionalDims& dims, const TensorBase& of) const;  // all if left out
  DimVector sized(Dims sizes) const { return led_by(size(), sizes); }
  // The same for operators along dimensions, which numbers have one of.
  DimVector sized_along(Dims sizes) const {
    return sizes.empty() ? DimVector({size(), 1}) : sized(sizes);
  }
  static DimVector led_by(int64_t value, Dims rest);

  // --- results ---
  TensorBase result(TensorBase batch) const { return batched(std::move(batch), 0, *level_); }
  template <size_t N>
  std::array<TensorBase, N> result(std::array<TensorBase, N> batches) const {
    for (TensorBase& batch : batches) batch = result(std::move(batch));
    return batches;
  }
  TensorVector result(TensorVector batches) const {
    for (TensorBase& batch : batches) batch = result(std::move(batch));
    return batches;
  }
  // Of operators along dimensions: without the one that `along` gave to numbers.
  template <class Results>
  Results result_along(Results batches, const TensorBase& of) const {
    if (of.dim() == 0) drop_extra(batches);
    return result(std::move(batches));
  }

  // --- operators without a rule: sample by sample ---
  template <class One>
  auto loop(One one) const {
    begin_loop();
    using Result = decltype(one(int64_t{0}));
    std::vector<Result> results;
    results.reserve(static_cast<size_t>(size()));
    for (int64_t n = 0; n < size(); ++n) results.push_back(one(n));
    return result(stacked(results));
  }

 private:
  const TransformMeta* batch_of(const TensorBase& tensor) const;
  void widen(const TensorBase& tensor) {
    if (tensor.defined()) rank_ = std::max(rank_, tensor.dim());
  }
  void widen(const Operand& operand) {
    if (operand.is_tensor()) widen(operand.tensor());
  }
  void drop_extra(TensorBase& batch) const;
  template <class Results>
  void drop_extra(Results& batches) const {
    for (TensorBase& batch : batches) drop_extra(batch);
  }
  void begin_loop() const;  // says so once, and refuses a batch without samples
  TensorBase stacked(const TensorVector& results) const;
  template <class Results>
  Results stacked(const std::vector<Results>& results) const {
    Results together = results.front();
    for (size_t i = 0; i < together.size(); ++i) {
      TensorVector column;
      for (const Results& each : results) column.push_back(each[i]);
      together[i] = stacked(column);
    }
    return together;
  }

  const char* op_;
  Level* level_;
  CallSite at_;
  SeenLevels below_;
  int64_t rank_ = 0;
  std::optional<DType> dtype_;
};

}  // namespace eagre::autograd
