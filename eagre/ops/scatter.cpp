// scatter with a reduction, and the gradients of products and extremes.
#include <limits>

#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/floor_divide.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/gather.h>
#include <eagre/autograd/ops/logical_and.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/scatter_add.h>
#include <eagre/autograd/ops/scatter_by.h>
#include <eagre/autograd/ops/scatter_fold.h>
#include <eagre/autograd/ops/scatter_fold_grad.h>
#include <eagre/autograd/ops/scatter_fold_grad_src.h>
#include <eagre/autograd/ops/scatter_reduce.h>
#include <eagre/autograd/ops/scatter_value.h>
#include <eagre/autograd/ops/scatter_value_by.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::ops {
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

TensorBase as_number(const TensorBase& truth, const TensorBase& like, CallSite at) {
  return cast(truth, like.dtype(), at);
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
  dispatch::meta::scatter(op, input.get(), dim, index.get(), src.get());
  if (index.numel() == 0) return add(input, 0, 1, at);
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

}  // namespace eagre::ops
