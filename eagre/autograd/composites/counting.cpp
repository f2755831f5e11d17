// Distinct elements, counts and places in an order.
#include <algorithm>
#include <array>
#include <numeric>

#include <eagre/autograd/composites/looked_at.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/amax.h>
#include <eagre/autograd/ops/any.h>
#include <eagre/autograd/ops/bincount.h>
#include <eagre/autograd/ops/bucketize.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/clamp_max.h>
#include <eagre/autograd/ops/cumsum.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/flatten.h>
#include <eagre/autograd/ops/floor_divide.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/gather.h>
#include <eagre/autograd/ops/ge.h>
#include <eagre/autograd/ops/gt.h>
#include <eagre/autograd/ops/index_select.h>
#include <eagre/autograd/ops/isfinite.h>
#include <eagre/autograd/ops/le.h>
#include <eagre/autograd/ops/log1p.h>
#include <eagre/autograd/ops/logical_and.h>
#include <eagre/autograd/ops/logical_not.h>
#include <eagre/autograd/ops/lt.h>
#include <eagre/autograd/ops/masked_fill.h>
#include <eagre/autograd/ops/movedim.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/multinomial.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/ne.h>
#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/rand.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/scatter.h>
#include <eagre/autograd/ops/scatter_add.h>
#include <eagre/autograd/ops/searchsorted.h>
#include <eagre/autograd/ops/sort.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/to_device.h>
#include <eagre/autograd/ops/topk.h>
#include <eagre/autograd/ops/unique.h>
#include <eagre/autograd/ops/unique_consecutive.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/autograd/ops/zeros.h>
#include <eagre/autograd/ops/zeros_like.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/dispatch/nonzero.h>
#include <eagre/dispatch/transfer.h>

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

void check_ordered(const char* op, const TensorBase& input) {
  EAGRE_CHECK(!is_complex(input.get(op, "input").key.dtype), kUnimplemented, op,
              "(): complex numbers have no order, but 'input' is of ", input.dtype());
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

TensorBase bincount(const TensorBase& input, const TensorBase& weights, int64_t minlength,
                    CallSite at) {
  const SiteScope scope(at);
  const char* const op = "bincount";
  const bool is_counted = input.dim() == 1 && !is_differentiable(input.dtype());
  EAGRE_CHECK(
      is_counted && (input.numel() == 0 || all_true(ge(input, 0, at), at)), kInvalidArgument,
      "bincount(): argument 'input': only 1-d tensors of integers that are not negative are "
      "supported, but got shape ",
      input.sizes(), " of ", input.dtype());
  if (minlength < 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "minlength", "a number that is not negative", concat(minlength)});
  }
  if (weights.defined() && weights.sizes() != input.sizes()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "weights", concat("the shape of 'input', ", input.sizes()),
                          concat("shape ", weights.sizes())});
  }
  int64_t size = minlength;
  if (input.numel() != 0) size = std::max(size, as_integer(amax(input, {}, false, at), at) + 1);
  const TensorBase places = cast(input, kInt64, at);
  TensorBase each;
  if (!weights.defined()) {
    each = full(input.sizes(), 1, whole_numbers(input), at);
  } else {
    each = weights.dtype() == kFloat32 ? weights : cast(weights, kFloat64, at);
  }
  const TensorOptions options = TensorOptions(each.dtype()).device(input.device());
  return scatter_add(zeros({size}, options, at), 0, places, each, at);
}

// --- places in an order ---

namespace {

void check_sequence(const char* op, const TensorBase& sequence, const TensorBase& values) {
  const Dims rows = sequence.sizes();
  EAGRE_CHECK(!rows.empty(), kInvalidArgument, op,
              "(): argument 'sorted_sequence' must have at least one dimension");
  bool fits = rows.size() == 1 || rows.size() == values.sizes().size();
  for (size_t d = 0; fits && rows.size() > 1 && d + 1 < rows.size(); ++d) {
    fits = rows[d] == values.sizes()[d];
  }
  if (fits) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "input",
                        concat("the sizes of 'sorted_sequence', ", rows, ", but for the last"),
                        concat("shape ", values.sizes())});
}

bool goes_right(bool right, const std::optional<std::string_view>& side) {
  if (!side) return right;
  if (*side != "left" && *side != "right") {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"searchsorted", "side", "'left' or 'right'", concat("'", *side, "'")});
  }
  EAGRE_CHECK(!right || *side == "right", kInvalidArgument,
              "searchsorted(): arguments 'side' and 'right' are set to opposites, 'left' and True");
  return *side == "right";
}

// By halving the part of the sequence that each place may be in.
TensorBase places_of(const TensorBase& sequence, const TensorBase& values, bool right,
                     CallSite at) {
  const int64_t count = sequence.sizes().back();
  const TensorBase wanted = sequence.dim() == 1 ? reshape(values, {-1}, at) : values;
  // Made of `wanted`, so that they are batches where it is one.
  TensorBase first = cast(zeros_like(wanted, MemoryFormat::kContiguous, {}, at), kInt64, at);
  TensorBase last = add(first, count, 1, at);
  for (int64_t rest = count; rest > 0; rest /= 2) {
    const TensorBase middle = floor_divide(add(first, last, 1, at), 2, at);
    const TensorBase probe = gather(sequence, -1, clamp_max(middle, count - 1, at), at);
    // Written so that a NaN, which nothing is greater than, comes last.
    const TensorBase stops = right ? gt(probe, wanted, at) : ge(probe, wanted, at);
    const TensorBase goes_on = logical_and(logical_not(stops, at), lt(first, last, at), at);
    first = where(goes_on, add(middle, 1, 1, at), first, at);
    last = where(goes_on, last, middle, at);
  }
  return reshape(first, values.sizes(), at);
}

TensorBase as_values(const Operand& input, const TensorBase& sequence, CallSite at) {
  if (input.is_tensor()) return input.tensor();
  const TensorOptions options = TensorOptions(sequence.dtype()).device(sequence.device());
  const bool is_whole = !is_differentiable(sequence.dtype());
  const bool has_fraction = input.scalar().category() == DTypeCategory::kFloating;
  const DType dtype = is_whole && has_fraction ? kFloat64 : sequence.dtype();
  return full({}, input.scalar(), options.dtype(dtype), at);
}

}  // namespace

TensorBase searchsorted(const TensorBase& sorted_sequence, const Operand& input, bool out_int32,
                        bool right, std::optional<std::string_view> side, const TensorBase& sorter,
                        CallSite at) {
  const SiteScope scope(at);
  const char* const op = "searchsorted";
  const NoGradGuard guard;
  const bool to_the_right = goes_right(right, side);
  const TensorBase values = as_values(input, sorted_sequence, at);
  check_sequence(op, sorted_sequence, values);
  if (input.is_tensor() && values.dtype() != sorted_sequence.dtype()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "input",
                          concat("the dtype of 'sorted_sequence', ", sorted_sequence.dtype()),
                          concat(values.dtype())});
  }
  TensorBase sequence = sorted_sequence;
  if (sorter.defined()) {
    if (sorter.sizes() != sequence.sizes() || sorter.dtype() != kInt64) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "sorter", concat("int64 numbers of shape ", sequence.sizes()),
                            concat("shape ", sorter.sizes(), " of ", sorter.dtype())});
    }
    sequence = gather(sequence, -1, sorter, at);
  }
  return cast(places_of(sequence, values, to_the_right, at), out_int32 ? kInt32 : kInt64, at);
}

TensorBase bucketize(const Operand& input, const TensorBase& boundaries, bool out_int32, bool right,
                     CallSite at) {
  const SiteScope scope(at);
  if (boundaries.dim() != 1) {
    raise(ErrorKind::kInvalidArgument, ArgumentProblem{"bucketize", "boundaries", "a vector",
                                                       concat("shape ", boundaries.sizes())});
  }
  return searchsorted(boundaries, input, out_int32, right, {}, {}, at);
}

// --- drawing ---

namespace {

void check_weights(const TensorBase& input, int64_t num_samples, bool replacement, CallSite at) {
  const char* const op = "multinomial";
  const auto problem = [&](const char* argument, std::string expected, std::string got) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, std::move(expected), std::move(got)});
  };
  if (!is_floating_point(input.dtype())) {
    problem("input", "floating-point weights", concat(input.dtype()));
  }
  if (input.dim() != 1 && input.dim() != 2) {
    problem("input", "1 or 2 dimensions", concat("shape ", input.sizes()));
  }
  if (num_samples <= 0) problem("num_samples", "a number greater than 0", concat(num_samples));
  const int64_t count = input.sizes().back();
  if (!replacement && num_samples > count) {
    problem("num_samples", concat("at most ", count, " elements without replacement"),
            concat(num_samples));
  }
  constexpr int64_t kMost = int64_t{1} << 24;
  if (count > kMost) problem("input", concat("at most ", kMost, " categories"), concat(count));
  const TensorBase usable = logical_and(isfinite(input, at), ge(input, 0, at), at);
  if (!all_true(usable, at)) problem("input", "weights", "`inf`, `nan` or an element < 0");
  if (!all_true(gt(sum(input, -1, false, {}, at), 0, at), at)) {
    problem("input", "rows with a sum greater than 0", "an invalid distribution");
  }
}

}  // namespace

TensorBase multinomial(const TensorBase& input, int64_t num_samples, bool replacement,
                       Generator* generator, CallSite at) {
  const SiteScope scope(at);
  const NoGradGuard guard;
  check_weights(input, num_samples, replacement, at);
  const TensorBase weights = cast(input, kFloat64, at);
  const TensorOptions options = TensorOptions(kFloat64).device(input.device());
  if (!replacement) {
    // The largest of w / e, with e exponential, is distributed as w; the next as the rest.
    const TensorBase noise = rand(weights.sizes(), generator, options, at);
    const TensorBase waits = neg(log1p(neg(noise, at), at), at);
    // A weight of zero never wins, not even where the noise is zero too.
    const TensorBase race = masked_fill(div(weights, waits, at), le(weights, 0, at), -1, at);
    return topk(race, num_samples, -1, true, true, at)[1];
  }
  const TensorBase shares = cumsum(weights, -1, {}, at);
  DimVector sizes = weights.sizes();
  sizes.back() = num_samples;
  const int64_t count = weights.sizes().back();
  const TensorBase total = narrow(shares, -1, count - 1, 1, at);
  const TensorBase drawn = mul(rand(sizes, generator, options, at), total, at);
  return clamp_max(places_of(shares, drawn, true, at), count - 1, at);
}

}  // namespace eagre::ops
