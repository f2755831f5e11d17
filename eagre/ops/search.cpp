// Where elements are: coordinates, places in an order, members of a set.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/nonzero.h>
#include <eagre/ops/add.h>
#include <eagre/ops/argwhere.h>
#include <eagre/ops/bucketize.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/clamp_max.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/flatten.h>
#include <eagre/ops/floor_divide.h>
#include <eagre/ops/full.h>
#include <eagre/ops/full_like.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/isin.h>
#include <eagre/ops/isin_element.h>
#include <eagre/ops/isin_sorted.h>
#include <eagre/ops/isin_test_element.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/nonzero.h>
#include <eagre/ops/nonzero_static.h>
#include <eagre/ops/nonzero_tuple.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/searchsorted.h>
#include <eagre/ops/sort.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros_like.h>

namespace eagre::ops {

TensorBase nonzero(const TensorBase& input, std::false_type, CallSite at) {
  const SiteScope scope(at);
  return dispatch::nonzero("nonzero", input);
}

TensorVector nonzero_tuple(const TensorBase& input, bool as_tuple, CallSite at) {
  const SiteScope scope(at);
  if (!as_tuple) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"nonzero", "as_tuple", "True", "False",
                          "leave it out for one tensor of coordinates"});
  }
  if (input.dim() != 0) return dispatch::nonzero_by_dimension("nonzero", input);
  return dispatch::nonzero_by_dimension("nonzero", expand(input, Dims({1}), at));
}

TensorBase argwhere(const TensorBase& input, CallSite at) { return nonzero(input, {}, at); }

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
  TensorBase values = as_values(input, sorted_sequence, at);
  check_sequence(op, sorted_sequence, values);
  TensorBase sequence = sorted_sequence;
  if (values.dtype() != sequence.dtype()) {
    const DType common = promote_types(values.dtype(), sequence.dtype());
    values = cast(values, common, at);
    sequence = cast(sequence, common, at);
  }
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

namespace {

void check_searched(const char* argument, DType dtype) {
  if (dtype != kBool && !is_complex(dtype)) return;
  raise(ErrorKind::kUnimplemented,
        ArgumentProblem{"isin", argument, "integers or floating-point numbers", concat(dtype)});
}

TensorBase number_beside(const char* argument, const Scalar& number, const TensorBase& tensor,
                         CallSite at) {
  const SiteScope scope(at);
  check_searched(argument, dtype_of(number));
  return operand_to_tensor(number, tensor, at);
}

// By operators that take a batch.
TensorBase isin_batch(const TensorBase& elements, const TensorBase& sorted, bool invert,
                      CallSite at) {
  const int64_t count = sorted.numel();
  if (count == 0) return full_like(elements, invert, MemoryFormat::kContiguous, kBool, at);
  const TensorBase places = searchsorted(sorted, elements, false, false, {}, {}, at);
  const TensorBase last = clamp_max(flatten(places, 0, -1, at), count - 1, at);
  const TensorBase nearest = reshape(gather(sorted, 0, last, at), elements.sizes(), at);
  return invert ? ne(nearest, elements, at) : eq(nearest, elements, at);
}

}  // namespace

TensorBase isin(const TensorBase& elements, const TensorBase& test_elements,
                [[maybe_unused]] bool assume_unique, bool invert, CallSite at) {
  {
    const SiteScope scope(at);
    check_searched("elements", elements.dtype());
    check_searched("test_elements", test_elements.dtype());
  }
  const DType dtype = promote_types(elements.dtype(), test_elements.dtype());
  const TensorBase row = flatten(cast(test_elements, dtype, at), 0, -1, at);
  const TensorBase sorted = sort(row, 0, false, false, at)[0];
  const TensorBase wanted = cast(elements, dtype, at);
  if (autograd::are_transformed(wanted, sorted)) return isin_batch(wanted, sorted, invert, at);
  return isin_sorted(wanted, sorted, invert, at);
}

TensorBase isin_test_element(const TensorBase& elements, const Scalar& test_element,
                             bool assume_unique, bool invert, CallSite at) {
  const TensorBase number = number_beside("test_element", test_element, elements, at);
  return isin(elements, number, assume_unique, invert, at);
}

TensorBase isin_element(const Scalar& element, const TensorBase& test_elements, bool assume_unique,
                        bool invert, CallSite at) {
  const TensorBase number = number_beside("element", element, test_elements, at);
  return isin(number, test_elements, assume_unique, invert, at);
}

TensorBase nonzero_static(const TensorBase& input, int64_t size, int64_t fill_value, CallSite at) {
  const SiteScope scope(at);
  if (size < 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"nonzero_static", "size", "0 or more rows", std::to_string(size)});
  }
  const TensorBase found = nonzero(input, {}, at);
  const int64_t count = found.sizes()[0];
  if (count >= size) return clone(narrow(found, 0, 0, size, at), at);
  const auto options = TensorOptions(kInt64).device(input.device());
  const DimVector rest{size - count, input.dim()};
  return cat({found, full(rest, fill_value, options, at)}, 0, at);
}

}  // namespace eagre::ops
