// embedding_bag: sums, means and maxima of rows of a table.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/bag_maxima.h>
#include <eagre/ops/bag_numbers.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/diff.h>
#include <eagre/ops/div.h>
#include <eagre/ops/embedding_bag.h>
#include <eagre/ops/embedding_table.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/full.h>
#include <eagre/ops/functional_embedding_bag.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/le.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/rows_at.h>
#include <eagre/ops/rows_at_by_count.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/sum_bags.h>
#include <eagre/ops/sum_bags_grad.h>
#include <eagre/ops/sum_rows.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

constexpr const char* kName = "embedding_bag";

enum class Mode : uint8_t { kSum, kMean, kMax };

struct Bags {
  const TensorBase& weight;
  TensorBase indices;  // a vector
  TensorBase starts;   // where bags begin, and where the last one ends
  TensorBase scale;    // of each index, or undefined
  std::optional<int64_t> padding;
  bool by_count;

  int64_t count() const { return starts.sizes()[0] - 1; }
  DimVector shape() const { return {count(), weight.sizes()[1]}; }
  TensorBase sizes(CallSite at) const {
    TensorBase all = diff(starts, 1, 0, {}, {}, at);
    if (!padding) return all;
    const TensorBase counted = cast(ne(indices, *padding, at), kInt64, at);
    // -1, which is no bag, becomes a number that is left out.
    const TensorBase bag = numbers(at);
    const auto options = TensorOptions(kInt64).device(all.device());
    const TensorBase none = zeros(Dims({count() + 1}), options, at);
    const TensorBase place = where(lt(bag, 0, at), count(), bag, at);
    return narrow(scatter_add(none, 0, place, counted, at), 0, 0, count(), at);
  }
  // The bag of each index; -1 if it is in none.
  TensorBase numbers(CallSite at) const { return bag_numbers(indices, starts, at); }

  TensorBase sums(CallSite at) const {
    if (!scale.defined() && !by_count) return sum_bags(weight, indices, starts, padding, at);
    TensorBase rows = by_count
                          ? rows_at_by_count(weight, indices, padding, false, kName, "indices", at)
                          : rows_at(weight, indices, padding, false, kName, "indices", at);
    if (scale.defined()) rows = mul(rows, unsqueeze(scale, -1, at), at);
    TensorBase bag = numbers(at);
    if (padding) bag = where(eq(indices, *padding, at), -1, bag, at);
    return sum_rows(rows, bag, shape(), -1, at);
  }

  std::array<TensorBase, 2> maxima(CallSite at) const {
    const TensorBase places = bag_maxima(weight, indices, starts, padding, at);
    if (weight.sizes()[0] == 0) return {of_nothing(places, weight, at), places};
    const TensorBase rows = clamp_min(places, 0, at);
    return {masked_fill(gather(weight, 0, rows, at), lt(places, 0, at), 0, at), rows};
  }

 private:
  // Every bag is empty, but a gradient has to know its table.
  static TensorBase of_nothing(const TensorBase& places, const TensorBase& weight, CallSite at) {
    return add(zeros(places.sizes(), TensorOptions(weight.dtype()).device(weight.device()), at),
               sum(weight, {}, false, {}, at), 1, at);
  }
};

// Offsets that end with the end of the last bag.
TensorBase checked_starts(const TensorBase& offsets, const TensorBase& indices, bool has_end,
                          CallSite at) {
  if (offsets.get(kName, "offsets").key.rank != 1)
    invalid_argument(kName, "offsets", "a vector", shape_text(offsets));
  if (offsets.dtype() != kInt64 && offsets.dtype() != kInt32) {
    raise(ErrorKind::kType, ArgumentProblem{kName, "offsets", "numbers of int64 or int32",
                                            std::string(to_string(offsets.dtype()))});
  }
  const int64_t count = indices.numel();
  if (has_end && offsets.numel() == 0)
    invalid_argument(kName, "offsets", "at least the end of the last bag", "no numbers");
  TensorBase given = cast(offsets, kInt64, at);
  if (offsets.numel() > 0) {
    EAGRE_CHECK(all_true(eq(narrow(given, 0, 0, 1, at), 0, at), at), kInvalidArgument,
                "embedding_bag(): argument 'offsets' must begin with 0");
    EAGRE_CHECK(all_true(le(given, count, at), at) &&
                    all_true(ge(diff(given, 1, 0, {}, {}, at), 0, at), at),
                kInvalidArgument,
                "embedding_bag(): argument 'offsets' must rise from 0 to at most the number of "
                "indices, ",
                count);
  }
  if (has_end) return given;
  const auto options = TensorOptions(kInt64).device(offsets.device());
  return cat({given, full(Dims({1}), count, options, at)}, 0, at);
}

Bags checked(const TensorBase& weight, const TensorBase& indices, const TensorBase& offsets,
             const TensorBase& scale, bool has_end, CallSite at) {
  if (weight.get(kName, "weight").key.rank != 2)
    invalid_argument(kName, "weight", "a matrix", shape_text(weight));
  if (!is_floating_point(weight.dtype())) {
    raise(ErrorKind::kType, ArgumentProblem{kName, "weight", "floating-point",
                                            std::string(to_string(weight.dtype()))});
  }
  const TensorBase flat = cast(reshape(indices, Dims({indices.numel()}), at), kInt64, at);
  const TensorBase starts = checked_starts(offsets, flat, has_end, at);
  TensorBase factors;
  if (scale.defined()) factors = reshape(scale, Dims({scale.numel()}), at);
  return {weight, flat, starts, factors, {}, false};
}

void check_indices(const char* argument, const TensorBase& indices) {
  const DType dtype = indices.get(kName, argument).key.dtype;
  if (dtype == kInt64 || dtype == kInt32) return;
  raise(ErrorKind::kType, ArgumentProblem{kName, argument, "indices of int64 or int32",
                                          std::string(to_string(dtype))});
}

void check_choices(Mode mode, bool sparse, bool by_count, const TensorBase& scale,
                   const TensorBase& weight, const TensorBase& indices) {
  if (sparse) {
    raise(ErrorKind::kUnimplemented,
          ArgumentProblem{kName, "sparse", "False, as there are no sparse tensors", "True"});
  }
  if (mode == Mode::kMax && by_count)
    invalid_argument(kName, "scale_grad_by_freq", "False, as maxima are wanted", "True");
  if (!scale.defined()) return;
  EAGRE_CHECK(mode == Mode::kSum, kUnimplemented,
              "embedding_bag(): argument 'per_sample_weights' is for sums, with mode='sum'");
  if (scale.sizes() != indices.sizes()) {
    invalid_argument(kName, "per_sample_weights", concat("shape ", indices.sizes()),
                     shape_text(scale));
  }
  if (scale.dtype() != weight.dtype()) {
    raise(ErrorKind::kType, ArgumentProblem{kName, "per_sample_weights",
                                            concat("the dtype of 'weight', ", weight.dtype()),
                                            std::string(to_string(scale.dtype()))});
  }
}

// Results, and, of maxima, their rows.
std::array<TensorBase, 2> combined(const Bags& bags, Mode mode, CallSite at) {
  if (mode == Mode::kMax) return bags.maxima(at);
  const TensorBase sums = bags.sums(at);
  if (mode == Mode::kSum) return {sums, {}};
  const TensorBase sizes = clamp_min(bags.sizes(at), 1, at);
  return {div(sums, cast(unsqueeze(sizes, -1, at), sums.dtype(), at), at), {}};
}

Mode parse_mode(std::string_view mode) {
  if (mode == "sum") return Mode::kSum;
  if (mode == "mean") return Mode::kMean;
  if (mode == "max") return Mode::kMax;
  invalid_argument(kName, "mode", "'sum', 'mean' or 'max'", concat("'", mode, "'"));
}

}  // namespace

TensorBase sum_bags_grad(const TensorBase& g, const TensorBase& index, const TensorBase& offset,
                         Dims size, std::optional<int64_t> padding, CallSite at) {
  const TensorBase rows =
      rows_at(g, bag_numbers(index, offset, at), -1, true, kName, "offsets", at);
  return sum_rows(rows, index, size, padding, at);
}

std::array<TensorBase, 4> embedding_bag(const TensorBase& weight, const TensorBase& indices,
                                        const TensorBase& offsets, bool scale_grad_by_freq,
                                        int64_t mode, bool sparse,
                                        const TensorBase& per_sample_weights,
                                        bool include_last_offset,
                                        std::optional<int64_t> padding_idx, CallSite at) {
  const SiteScope scope(at);
  if (mode < 0 || mode > 2)
    invalid_argument(kName, "mode", "0 (sum), 1 (mean) or 2 (max)", std::to_string(mode));
  const auto how = static_cast<Mode>(mode);
  check_indices("indices", indices);
  check_choices(how, sparse, scale_grad_by_freq, per_sample_weights, weight, indices);
  if (indices.dim() != 1) invalid_argument(kName, "indices", "a vector", shape_text(indices));
  Bags bags = checked(weight, indices, offsets, per_sample_weights, include_last_offset, at);
  bags.padding = checked_padding(kName, padding_idx, weight);
  bags.by_count = scale_grad_by_freq;
  const auto [result, rows] = combined(bags, how, at);
  const TensorBase sizes = bags.sizes(at);
  return {result, bags.numbers(at), sizes, how == Mode::kMax ? rows : clone(sizes, at)};
}

TensorBase functional_embedding_bag(const TensorBase& input, const TensorBase& weight,
                                    const TensorBase& offsets, std::optional<double> max_norm,
                                    double norm_type, bool scale_grad_by_freq,
                                    std::string_view mode, bool sparse,
                                    const TensorBase& per_sample_weights, bool include_last_offset,
                                    std::optional<int64_t> padding_idx, CallSite at) {
  const SiteScope scope(at);
  const Mode how = parse_mode(mode);
  check_indices("input", input);
  check_choices(how, sparse, scale_grad_by_freq, per_sample_weights, weight, input);
  TensorBase starts = offsets;
  if (input.dim() == 2) {
    if (offsets.defined()) {
      invalid_argument(kName, "offsets", "None, as the rows of 'input' are bags",
                       shape_text(offsets));
    }
    // Also for bags of no indices, of which all begin at 0.
    const auto options = TensorOptions(kInt64).device(input.device());
    starts = mul(arange(input.sizes()[0], options, at), input.sizes()[1], at);
  } else if (input.dim() != 1) {
    invalid_argument(kName, "input", "a vector or a matrix", shape_text(input));
  } else if (!offsets.defined()) {
    invalid_argument(kName, "offsets", "a vector, as 'input' is one", "None");
  }
  const bool has_end = include_last_offset && input.dim() == 1;
  Bags bags = checked(weight, input, starts, per_sample_weights, has_end, at);
  bags.padding = checked_padding(kName, padding_idx, weight);
  bags.by_count = scale_grad_by_freq;
  if (max_norm) limit_rows(weight, input, *max_norm, norm_type, kName, at);
  return combined(bags, how, at)[0];
}

}  // namespace eagre::ops
