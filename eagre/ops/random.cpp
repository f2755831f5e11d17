// Random numbers: what dtype and how many, before a kernel makes them; draws with weights.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/ops/normal.h>
#include <eagre/dispatch/ops/uniform.h>
#include <eagre/ops/bernoulli.h>
#include <eagre/ops/bernoulli_each.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clamp_max.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/cumsum.h>
#include <eagre/ops/div.h>
#include <eagre/ops/empty.h>
#include <eagre/ops/empty_like.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/exponential.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/isfinite.h>
#include <eagre/ops/le.h>
#include <eagre/ops/log1p.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/multinomial.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/normal.h>
#include <eagre/ops/normal_sized.h>
#include <eagre/ops/rand.h>
#include <eagre/ops/rand_like.h>
#include <eagre/ops/randint.h>
#include <eagre/ops/randint_from.h>
#include <eagre/ops/randint_like.h>
#include <eagre/ops/randint_like_from.h>
#include <eagre/ops/randint_values.h>
#include <eagre/ops/randn_like.h>
#include <eagre/ops/random.h>
#include <eagre/ops/random_from.h>
#include <eagre/ops/random_to.h>
#include <eagre/ops/randperm.h>
#include <eagre/ops/randperm_values.h>
#include <eagre/ops/searchsorted.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/tensor_like.h>
#include <eagre/ops/topk.h>
#include <eagre/ops/uniform.h>

namespace eagre::ops {

TensorBase rand_like(const TensorBase& input, MemoryFormat memory_format, Generator* generator,
                     const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = uninitialized_like("rand_like", input, memory_format, options);
  if (autograd::transforms_active()) {
    result = uniform(result, 0, 1, generator, at);  // may be a batch where `input` is none
  } else {
    dispatch::uniform_(result, 0, 1, generator);
  }
  return with_requires_grad(std::move(result), options);
}

TensorBase randn_like(const TensorBase& input, MemoryFormat memory_format, Generator* generator,
                      const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = uninitialized_like("randn_like", input, memory_format, options);
  if (autograd::transforms_active()) {
    result = normal(result, 0, 1, generator, at);
  } else {
    dispatch::normal_(result, 0, 1, generator);
  }
  return with_requires_grad(std::move(result), options);
}

namespace {

// Bounds that the numbers of a dtype can tell apart from their neighbours.
// `bound` is what PyTorch calls the number.
void check_representable(const char* op, const char* argument, const char* bound, int64_t number,
                         DType dtype) {
  double least = 0, most = 0;
  visit_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      least = static_cast<double>(std::numeric_limits<T>::min());
      most = static_cast<double>(std::numeric_limits<T>::max());
    } else {
      most = dtype == kFloat64   ? 0x1p53
             : dtype == kFloat32 ? 0x1p24
             : dtype == kFloat16 ? 2048
                                 : 256;
      least = -most;
    }
  });
  const auto value = static_cast<double>(number);
  if (value >= least && value <= most) return;
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): ", bound, " is out of bounds for ", dtype, ": argument '", argument,
               "' leads to ", number, ", which it cannot hold"));
}

TensorOptions whole(const TensorOptions& options) {
  return options.dtype(options.chosen_dtype().value_or(kInt64));
}

}  // namespace

TensorBase randint_from(int64_t low, int64_t high, Dims size, Generator* generator,
                        const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  const TensorOptions chosen = whole(options);
  check_representable("randint", "low", "from", low, chosen.dtype());
  if (high > low) check_representable("randint", "high", "to - 1", high - 1, chosen.dtype());
  return randint_values(low, high, size, generator, chosen, at);
}

TensorBase randint(int64_t high, Dims size, Generator* generator, const TensorOptions& options,
                   CallSite at) {
  return randint_from(0, high, size, generator, options, at);
}

TensorBase randint_like_from(const TensorBase& input, int64_t low, int64_t high,
                             MemoryFormat memory_format, Generator* generator,
                             const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  TensorBase result = empty_like(input, memory_format, options.requires_grad(false), at);
  const auto like = TensorOptions(result.dtype()).device(result.device());
  const TensorBase values = randint_from(low, high, input.sizes(), generator, like, at);
  if (autograd::transforms_active()) {
    result = values;  // which may be a batch where `result` is none
  } else {
    copy_(result, values, false, at);
  }
  return with_requires_grad(std::move(result), options);
}

TensorBase randint_like(const TensorBase& input, int64_t high, MemoryFormat memory_format,
                        Generator* generator, const TensorOptions& options, CallSite at) {
  return randint_like_from(input, 0, high, memory_format, generator, options, at);
}

TensorBase randperm(int64_t n, Generator* generator, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  const TensorOptions chosen = whole(options);
  if (n > 0) check_representable("randperm", "n", "n - 1", n - 1, chosen.dtype());
  return randperm_values(n, generator, chosen, at);
}

TensorBase normal_sized(double mean, double std, Dims size, Generator* generator,
                        const TensorOptions& options, CallSite at) {
  TensorBase result = empty(size, MemoryFormat::kContiguous, options.requires_grad(false), at);
  if (autograd::transforms_active()) {
    result = normal(result, mean, std, generator, at);
  } else {
    normal_(result, mean, std, generator, at);
  }
  return with_requires_grad(std::move(result), options);
}

void bernoulli_each_(const TensorBase& input, const TensorBase& p, Generator* generator,
                     CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(is_floating_point(p.get("bernoulli_", "p").key.dtype), kInvalidArgument,
              "bernoulli_(): argument 'p' must be floating point probabilities, but got ",
              p.dtype());
  copy_(input, bernoulli(expand(p, input.sizes(), at), generator, at), false, at);
}

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
  EAGRE_CHECK(dtypes::kArithmetic.contains(input.dtype()), kUnimplemented,
              "random_(): there are no random numbers of ", input.dtype());
  EAGRE_CHECK(from < to, kInvalidArgument,
              "random_(): random_ expects 'from' to be less than 'to', but got from=", from,
              " >= to=", to);
  if (!is_differentiable(input.dtype()) && input.dtype() != kInt64) {
    const int64_t last = last_number(input.dtype());
    const int64_t first = is_signed(input.dtype()) ? -last - 1 : 0;
    EAGRE_CHECK(from >= first && from <= last, kInvalidArgument,
                "random_(): from is out of bounds ", "for ", input.dtype(), ", whose numbers are ",
                first, " to ", last, ": ", from);
    EAGRE_CHECK(to - 1 <= last, kInvalidArgument, "random_(): to - 1 is out of bounds for ",
                input.dtype(), ": argument 'to' must be at most ", last + 1, ", but got ", to);
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
  return clamp_max(searchsorted(shares, drawn, false, true, {}, {}, at), count - 1, at);
}

}  // namespace eagre::ops
