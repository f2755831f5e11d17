// Copies with a part replaced, and random numbers written into tensors.
#include <algorithm>

#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/ops/diagonal.h>
#include <eagre/autograd/ops/diagonal_scatter.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/exponential.h>
#include <eagre/autograd/ops/fill.h>
#include <eagre/autograd/ops/fill_diagonal.h>
#include <eagre/autograd/ops/flatten.h>
#include <eagre/autograd/ops/log1p.h>
#include <eagre/autograd/ops/masked_scatter.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/neg.h>
#include <eagre/autograd/ops/new_empty.h>
#include <eagre/autograd/ops/rand.h>
#include <eagre/autograd/ops/randint_from.h>
#include <eagre/autograd/ops/random.h>
#include <eagre/autograd/ops/random_from.h>
#include <eagre/autograd/ops/random_to.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/scatter.h>
#include <eagre/autograd/ops/select.h>
#include <eagre/autograd/ops/select_scatter.h>
#include <eagre/autograd/ops/slice.h>
#include <eagre/autograd/ops/slice_scatter.h>
#include <eagre/autograd/transforms/carried.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/dispatch/nonzero.h>

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

void fill_diagonal_(const TensorBase& input, const Scalar& fill_value, bool wrap, CallSite at) {
  const SiteScope scope(at);
  const Dims sizes = input.sizes();
  EAGRE_CHECK(sizes.size() >= 2, kInvalidArgument,
              "fill_diagonal_(): argument 'input' must have at least 2 dimensions, but got shape ",
              sizes);
  if (sizes.size() > 2) {
    const bool is_cube =
        std::all_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size == sizes[0]; });
    EAGRE_CHECK(is_cube, kInvalidArgument,
                "fill_diagonal_(): all dimensions of 'input' must be of equal length, but got "
                "shape ",
                sizes);
    TensorBase line = input;
    while (line.dim() > 1) line = diagonal(line, 0, 0, 1, at);
    return fill_(line, fill_value, at);
  }
  const int64_t height = sizes[0];
  const int64_t width = sizes[1];
  const bool goes_on = wrap && width > 0;
  // After the end of a diagonal one row is left out.
  for (int64_t row = 0; row == 0 || (goes_on && row < height); row += width + 1) {
    const TensorBase square = row == 0 ? input : narrow(input, 0, row, height - row, at);
    fill_(diagonal(square, 0, 0, 1, at), fill_value, at);
  }
}

// --- random numbers ---

void exponential_(const TensorBase& input, double lambd, Generator* generator, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(is_floating_point(input.dtype()), kInvalidArgument,
              "exponential_(): argument 'input' must be floating-point, but got ", input.dtype());
  EAGRE_CHECK(lambd > 0, kInvalidArgument,
              "exponential_(): expects lambda > 0.0, but argument 'lambd' is ", lambd);
  const TensorOptions options = TensorOptions(kFloat64).device(input.device());
  const TensorBase noise = rand(input.sizes(), generator, options, at);
  copy_(input, div(log1p(neg(noise, at), at), -lambd, at), false, at);
}

namespace {

// Whole numbers up to this one are all elements of the dtype.
int64_t last_number(DType dtype) {
  switch (dtype) {
    case kBool: return 1;
    case kFloat16: return (int64_t{1} << 11) - 1;
    case kBFloat16: return (int64_t{1} << 8) - 1;
    case kFloat32: return (int64_t{1} << 24) - 1;
    case kFloat64: return (int64_t{1} << 53) - 1;
    case kUInt8: return UINT8_MAX;
    case kInt8: return INT8_MAX;
    case kInt16: return INT16_MAX;
    case kUInt16: return UINT16_MAX;
    case kInt32: return INT32_MAX;
    case kUInt32: return UINT32_MAX;
    default: return INT64_MAX - 1;
  }
}

void draw(const TensorBase& input, int64_t from, int64_t to, Generator* generator, CallSite at) {
  EAGRE_CHECK(from < to, kInvalidArgument,
              "random_(): expects 'from' to be less than 'to', but got ", from, " >= ", to);
  const bool is_whole = !is_differentiable(input.dtype());
  if (is_whole && to - 1 > last_number(input.dtype()) && input.dtype() != kInt64) {
    raise(
        ErrorKind::kInvalidArgument,
        ArgumentProblem{"random_", "to",
                        concat("at most ", last_number(input.dtype()) + 1, " for ", input.dtype()),
                        concat(to)});
  }
  const TensorOptions options = TensorOptions(kInt64).device(input.device());
  copy_(input, randint_from(from, to, input.sizes(), generator, options, at), false, at);
}

}  // namespace

void random_(const TensorBase& input, Generator* generator, CallSite at) {
  const SiteScope scope(at);
  draw(input, 0, last_number(input.dtype()) + 1, generator, at);
}

void random_to_(const TensorBase& input, int64_t to, Generator* generator, CallSite at) {
  const SiteScope scope(at);
  draw(input, 0, to, generator, at);
}

void random_from_(const TensorBase& input, int64_t from, std::optional<int64_t> to,
                  Generator* generator, CallSite at) {
  const SiteScope scope(at);
  draw(input, from, to.value_or(last_number(input.dtype()) + 1), generator, at);
}

}  // namespace eagre::ops
