// Copies with parts replaced, scatter with a reduction, and the gradients.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/nonzero.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/diagonal.h>
#include <eagre/ops/diagonal_scatter.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/flatten.h>
#include <eagre/ops/floor_divide.h>
#include <eagre/ops/full.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/masked_scatter.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/new_empty.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scatter.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/scatter_by.h>
#include <eagre/ops/scatter_fold.h>
#include <eagre/ops/scatter_fold_grad.h>
#include <eagre/ops/scatter_fold_grad_src.h>
#include <eagre/ops/scatter_grad_src.h>
#include <eagre/ops/scatter_reduce.h>
#include <eagre/ops/scatter_value.h>
#include <eagre/ops/scatter_value_by.h>
#include <eagre/ops/select.h>
#include <eagre/ops/select_scatter.h>
#include <eagre/ops/slice.h>
#include <eagre/ops/slice_grad.h>
#include <eagre/ops/slice_scatter.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

// A copy that `src` can be written into: of a batch, where `src` is one.
TensorBase copy_for(const TensorBase& input, const TensorBase& src, CallSite at) {
  if (!autograd::are_transformed(src)) return clone(input, at);
  const TensorOptions options = TensorOptions(input.dtype()).device(input.device());
  TensorBase made = new_empty(src, input.sizes(), options, at);
  copy_(made, input, false, at);
  return made;
}

void replace(const char* op, const TensorBase& part, const TensorBase& src, CallSite at) {
  if (part.sizes() != src.sizes()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "src", concat("the shape of what it replaces, ", part.sizes()),
                          concat("shape ", src.sizes())});
  }
  copy_(part, src, false, at);
}

}  // namespace

TensorBase select_scatter(const TensorBase& input, const TensorBase& src, int64_t dim,
                          int64_t index, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = copy_for(input, src, at);
  replace("select_scatter", select(result, dim, index, at), src, at);
  return result;
}

TensorBase slice_scatter(const TensorBase& input, const TensorBase& src, int64_t dim,
                         std::optional<int64_t> start, std::optional<int64_t> end, int64_t step,
                         CallSite at) {
  const SiteScope scope(at);
  TensorBase result = copy_for(input, src, at);
  replace("slice_scatter", slice(result, dim, start, end, step, at), src, at);
  return result;
}

TensorBase diagonal_scatter(const TensorBase& input, const TensorBase& src, int64_t offset,
                            int64_t dim1, int64_t dim2, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = copy_for(input, src, at);
  replace("diagonal_scatter", diagonal(result, offset, dim1, dim2, at), src, at);
  return result;
}

TensorBase masked_scatter(const TensorBase& input, const TensorBase& mask, const TensorBase& source,
                          CallSite at) {
  const SiteScope scope(at);
  const char* const op = "masked_scatter";
  EAGRE_CHECK(mask.dtype() == kBool, kInvalidArgument,
              "masked_scatter(): argument 'mask' only supports boolean masks, but got mask with "
              "dtype ",
              mask.dtype());
  EAGRE_CHECK(input.dtype() == source.dtype(), kInvalidArgument,
              "masked_scatter(): expected 'input' and 'source' to have same dtypes but got ",
              input.dtype(), " and ", source.dtype());
  const DimVector shape = broadcast_shapes(op, input.sizes(), mask.sizes());
  const TensorBase places = dispatch::nonzero_places(op, expand(mask, shape, at));
  const int64_t wanted = places.numel();
  EAGRE_CHECK(wanted <= source.numel(), kInvalidArgument,
              "masked_scatter(): Number of elements of source (", source.numel(),
              ") < number of ones in mask (", wanted, ")");
  const TensorBase values = narrow(flatten(source, 0, -1, at), 0, 0, wanted, at);
  const TensorBase flat = reshape(expand(input, shape, at), {-1}, at);
  return reshape(scatter(flat, 0, places, values, at), shape, at);
}

namespace {

TensorBase filled(Dims size, const Scalar& value, const TensorBase& like, CallSite at) {
  return full(size, value, TensorOptions(like.dtype()).device(like.device()), at);
}

// The part of `src` that `index` has places for.
TensorBase used_part(const TensorBase& src, const TensorBase& index, CallSite at) {
  TensorBase part = src;
  for (int64_t d = 0; d < index.dim() && d < src.dim(); ++d) {
    const int64_t size = index.sizes()[static_cast<size_t>(d)];
    if (part.sizes()[static_cast<size_t>(d)] != size) part = narrow(part, d, 0, size, at);
  }
  return part;
}

// What changes nothing when it is folded with elements of this dtype.
Scalar neutral(std::string_view reduce, DType dtype) {
  if (reduce == "prod") return 1;
  if (reduce == "sum" || reduce == "mean") return 0;
  const bool low = reduce == "amax";
  if (dtype == kBool) return !low;
  if (is_floating_point(dtype)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return low ? -kInfinity : kInfinity;
  }
  const bool is_signed = dtype != kUInt8;
  const auto bits = static_cast<int>(8 * element_size(dtype)) - (is_signed ? 1 : 0);
  const auto most = static_cast<int64_t>((uint64_t{1} << bits) - 1);
  if (!low) return most;
  return is_signed ? -most - 1 : int64_t{0};
}

// How many elements come to each place, or came there; at least 1.
TensorBase counts(const TensorBase& input, int64_t dim, const TensorBase& index, bool include_self,
                  CallSite at) {
  TensorBase start = filled(input.sizes(), 1, input, at);
  if (!include_self) start = scatter_value(start, dim, index, 0, at);
  return scatter_add(start, dim, index, filled(index.sizes(), 1, input, at), at);
}

TensorBase as_number(const TensorBase& mask, const TensorBase& like, CallSite at) {
  return cast(mask, like.dtype(), at);
}

// 1 instead of 0.
TensorBase without_zeros(const TensorBase& tensor, const TensorBase& is_zero, CallSite at) {
  return where(is_zero, filled({}, 1, tensor, at), tensor, at);
}

}  // namespace

TensorBase scatter_by(const TensorBase& input, int64_t dim, const TensorBase& index,
                      const TensorBase& src, std::string_view reduce, CallSite at) {
  const SiteScope scope(at);
  if (reduce == "add") return scatter_add(input, dim, index, src, at);
  if (reduce == "multiply") return scatter_reduce(input, dim, index, src, "prod", true, at);
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"scatter", "reduce", "'add' or 'multiply'", concat("'", reduce, "'")});
}

TensorBase scatter_value_by(const TensorBase& input, int64_t dim, const TensorBase& index,
                            const Scalar& value, std::string_view reduce, CallSite at) {
  return scatter_by(input, dim, index, filled(index.sizes(), value, input, at), reduce, at);
}

TensorBase scatter_reduce(const TensorBase& input, int64_t dim, const TensorBase& index,
                          const TensorBase& src, std::string_view reduce, bool include_self,
                          CallSite at) {
  const SiteScope scope(at);
  const char* const op = "scatter_reduce";
  const bool sums = reduce == "sum" || reduce == "mean";
  if (!sums && reduce != "prod" && reduce != "amax" && reduce != "amin") {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "reduce", "'sum', 'prod', 'mean', 'amax' or 'amin'",
                          concat("'", reduce, "'")});
  }
  EAGRE_CHECK(!is_complex(input.dtype()) || sums || reduce == "prod", kType, op,
              "(): complex numbers have no order, so '", reduce, "' does not take them");
  dispatch::meta::scatter(op, input.get(), dim, index.get(), src.get());
  if (index.numel() == 0) return clone(input, at);
  const TensorBase part = used_part(src, index, at);
  const TensorBase start =
      include_self ? input : scatter_value(input, dim, index, neutral(reduce, input.dtype()), at);
  if (!sums) return scatter_fold(start, dim, index, part, reduce, at);
  TensorBase total = scatter_add(start, dim, index, part, at);
  if (reduce == "sum") return total;
  const TensorBase number = counts(input, dim, index, include_self, at);
  return is_differentiable(input.dtype()) ? div(total, number, at)
                                          : floor_divide(total, number, at);
}

TensorBase scatter_fold_grad(const TensorBase& g, const TensorBase& input, int64_t dim,
                             const TensorBase& index, const TensorBase& src,
                             const TensorBase& result, std::string_view reduce, CallSite at) {
  if (reduce == "prod") {
    const TensorBase divisor = without_zeros(input, eq(input, 0, at), at);
    const TensorBase others = div(scatter_fold(divisor, dim, index, src, reduce, at), divisor, at);
    return mul(g, others, at);
  }
  const TensorBase is_input = as_number(eq(input, result, at), g, at);
  const TensorBase is_src = as_number(eq(src, gather(result, dim, index, at), at), g, at);
  const TensorBase share = div(g, scatter_add(is_input, dim, index, is_src, at), at);
  return mul(share, is_input, at);
}

TensorBase scatter_fold_grad_src(const TensorBase& g, const TensorBase& input, int64_t dim,
                                 const TensorBase& index, const TensorBase& src,
                                 const TensorBase& result, std::string_view reduce, CallSite at) {
  if (reduce != "prod") {
    const TensorBase is_input = as_number(eq(input, result, at), g, at);
    const TensorBase is_src = as_number(eq(src, gather(result, dim, index, at), at), g, at);
    const TensorBase share = div(g, scatter_add(is_input, dim, index, is_src, at), at);
    return mul(gather(share, dim, index, at), is_src, at);
  }
  // A single 0 among the factors is left out of the product; with two, every gradient is 0.
  const TensorBase is_zero = eq(src, 0, at);
  const TensorBase none = filled(input.sizes(), 0, g, at);
  const TensorBase zeros_there = scatter_add(none, dim, index, as_number(is_zero, g, at), at);
  const TensorBase alone = logical_and(is_zero, eq(gather(zeros_there, dim, index, at), 1, at), at);
  const TensorBase rest =
      scatter_fold(input, dim, index, without_zeros(src, alone, at), reduce, at);
  const TensorBase with_zero = gather(mul(g, rest, at), dim, index, at);
  const TensorBase usual =
      div(gather(mul(g, result, at), dim, index, at), without_zeros(src, is_zero, at), at);
  return where(alone, with_zero, usual, at);
}

TensorBase scatter_grad_src(const TensorBase& g, int64_t dim, const TensorBase& index, Dims size,
                            CallSite at) {
  if (index.numel() == 0) return zeros(size, TensorOptions(g.dtype()).device(g.device()), at);
  TensorBase result = gather(g, dim, index, at);
  for (size_t d = 0; d < size.size(); ++d) {
    if (result.sizes()[d] == size[d]) continue;
    DimVector wider = result.sizes();
    wider[d] = size[d];
    result = slice_grad(result, wider, static_cast<int64_t>(d), 0, 1, at);
  }
  return result;
}

}  // namespace eagre::ops
