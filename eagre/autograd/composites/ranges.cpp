// arange, and random whole numbers: what dtype and how many, before a kernel makes them.
#include <cmath>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/ops/arange.h>
#include <eagre/autograd/ops/arange_from.h>
#include <eagre/autograd/ops/arange_step.h>
#include <eagre/autograd/ops/arange_values.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/ops/empty.h>
#include <eagre/autograd/ops/empty_like.h>
#include <eagre/autograd/ops/normal.h>
#include <eagre/autograd/ops/normal_sized.h>
#include <eagre/autograd/ops/randint.h>
#include <eagre/autograd/ops/randint_from.h>
#include <eagre/autograd/ops/randint_like.h>
#include <eagre/autograd/ops/randint_like_from.h>
#include <eagre/autograd/ops/randint_values.h>
#include <eagre/autograd/ops/randperm.h>
#include <eagre/autograd/ops/randperm_values.h>
#include <eagre/autograd/transforms/level.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>

namespace eagre::ops {
namespace {

bool is_whole(const Scalar& number) { return number.category() < DTypeCategory::kFloating; }

std::string shown(const Scalar& number) {
  return is_whole(number) ? std::to_string(number.wrapped<int64_t>())
                          : concat(number.wrapped<double>());
}

[[noreturn]] void refuse(const char* argument, std::string expected, const Scalar& got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"arange", argument, std::move(expected), shown(got)});
}

// How many numbers there are from `start` on, in steps, before `end`.
int64_t length_of(const Scalar& start, const Scalar& end, const Scalar& step) {
  for (const Scalar& number : {start, end, step}) {
    EAGRE_CHECK(number.category() != DTypeCategory::kComplex, kInvalidArgument,
                "arange(): the numbers must be real, but one of them is complex");
  }
  const double first = start.wrapped<double>(), last = end.wrapped<double>(),
               by = step.wrapped<double>();
  if (by == 0) refuse("step", "a number other than 0", step);
  if (!std::isfinite(first)) refuse("start", "a finite number", start);
  if (!std::isfinite(last)) refuse("end", "a finite number", end);
  if (std::isnan(by)) refuse("step", "a number", step);
  if (by > 0 ? last < first : last > first) {
    refuse("end",
           concat("a number on the side of 'start' (", shown(start), ") that 'step' (", shown(step),
                  ") leads to"),
           end);
  }
  if (is_whole(start) && is_whole(end) && is_whole(step)) {
    const auto distance = static_cast<unsigned __int128>(
        by > 0 ? static_cast<__int128>(end.wrapped<int64_t>()) - start.wrapped<int64_t>()
               : static_cast<__int128>(start.wrapped<int64_t>()) - end.wrapped<int64_t>());
    const auto size =
        static_cast<unsigned __int128>(by > 0 ? static_cast<__int128>(step.wrapped<int64_t>())
                                              : -static_cast<__int128>(step.wrapped<int64_t>()));
    const unsigned __int128 count = (distance + size - 1) / size;
    if (count > INT64_MAX) refuse("end", "fewer than 2^63 numbers", end);
    return static_cast<int64_t>(count);
  }
  const double count = std::ceil((last - first) / by);
  if (!(count < 0x1p63)) refuse("end", "fewer than 2^63 numbers", end);
  return static_cast<int64_t>(count);
}

// Bounds that the numbers of a dtype can tell apart from their neighbours.
void check_representable(const char* op, const char* argument, int64_t number, DType dtype) {
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
        ArgumentProblem{op, argument, concat("a number that ", dtype, " can hold"),
                        std::to_string(number)});
}

TensorOptions whole(const TensorOptions& options) {
  return options.dtype(options.chosen_dtype().value_or(kInt64));
}

}  // namespace

TensorBase arange_step(const Scalar& start, const Scalar& end, const Scalar& step,
                       const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  const bool is_integer = is_whole(start) && is_whole(end) && is_whole(step);
  const DType dtype = options.chosen_dtype().value_or(is_integer ? kInt64 : default_dtype());
  // int64 counts in whole numbers, whatever is given; how far, the numbers as they are say.
  const bool cuts = dtype == kInt64 && !is_integer;
  const auto taken = [cuts](const Scalar& x) { return cuts ? Scalar(x.wrapped<int64_t>()) : x; };
  const int64_t length = length_of(start, end, step);
  return arange_values(taken(start), taken(step), length, options.dtype(dtype), at);
}

TensorBase arange_from(const Scalar& start, const Scalar& end, const TensorOptions& options,
                       CallSite at) {
  return arange_step(start, end, 1, options, at);
}

TensorBase arange(const Scalar& end, const TensorOptions& options, CallSite at) {
  return arange_step(0, end, 1, options, at);
}

TensorBase randint_from(int64_t low, int64_t high, Dims size, Generator* generator,
                        const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  const TensorOptions chosen = whole(options);
  check_representable("randint", "low", low, chosen.dtype());
  if (high > low) check_representable("randint", "high", high - 1, chosen.dtype());
  return randint_values(low, high, size, generator, chosen, at);
}

TensorBase randint(int64_t high, Dims size, Generator* generator, const TensorOptions& options,
                   CallSite at) {
  return randint_from(0, high, size, generator, options, at);
}

TensorBase randint_like_from(const TensorBase& input, int64_t low, int64_t high,
                             MemoryFormat memory_format, const TensorOptions& options,
                             CallSite at) {
  const SiteScope scope(at);
  TensorBase result = empty_like(input, memory_format, options.requires_grad(false), at);
  const auto like = TensorOptions(result.dtype()).device(result.device());
  const TensorBase values = randint_from(low, high, input.sizes(), nullptr, like, at);
  if (autograd::transforms_active()) {
    result = values;  // which may be a batch where `result` is none
  } else {
    copy_(result, values, false, at);
  }
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  return result;
}

TensorBase randint_like(const TensorBase& input, int64_t high, MemoryFormat memory_format,
                        const TensorOptions& options, CallSite at) {
  return randint_like_from(input, 0, high, memory_format, options, at);
}

TensorBase randperm(int64_t n, Generator* generator, const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  const TensorOptions chosen = whole(options);
  if (n > 0) check_representable("randperm", "n", n - 1, chosen.dtype());
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
  if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);
  return result;
}

}  // namespace eagre::ops
