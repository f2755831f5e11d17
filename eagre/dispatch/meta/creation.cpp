// Shapes that the user gives, and the numbers that shape random values.
#include <eagre/base/error.h>
#include <eagre/core/can_hold.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

DimVector counted(const char* op, const char* argument, int64_t count) {
  if (count < 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, "a number that is not negative", std::to_string(count)});
  }
  return {count};
}

}  // namespace

DimVector sizes(const char* op, Dims size) {
  checked_numel(op, size);
  return size;
}

DimVector full(const char* op, Dims size, const Scalar& fill_value, const TensorOptions& options) {
  if (options.chosen_dtype()) check_holds(op, "fill_value", *options.chosen_dtype(), fill_value);
  return sizes(op, size);
}

DimVector same_sizes(const char*, const TensorImpl& input) { return input.sizes(); }
DimVector vector(const char*, int64_t length) { return {length}; }
DimVector randperm(const char* op, int64_t n) { return counted(op, "n", n); }

DimVector between(const char* op, const Scalar& start, const Scalar& end, int64_t steps,
                  const TensorOptions& options) {
  const std::optional<DType> dtype = options.chosen_dtype();
  for (const Scalar* bound : {&start, &end}) {
    if (!dtype || is_complex(*dtype) || bound->category() != DTypeCategory::kComplex) continue;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, bound == &start ? "start" : "end",
                          concat("a real number, as the result is of ", *dtype), text_of(*bound)});
  }
  return counted(op, "steps", steps);
}

DimVector eye(const char* op, int64_t n, std::optional<int64_t> m) {
  const DimVector rows = counted(op, "n", n);
  const DimVector columns = m ? counted(op, "m", *m) : rows;
  const DimVector result{rows[0], columns[0]};
  checked_numel(op, result);
  return result;
}

DimVector randint(const char* op, int64_t low, int64_t high, Dims size) {
  if (low >= high) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "high", concat("more than the lowest number, ", low),
                          std::to_string(high)});
  }
  return sizes(op, size);
}

void bernoulli_fill(const char* op, const TensorImpl&, double p) {
  if (p >= 0 && p <= 1) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "p", "a probability from 0 to 1", std::to_string(p)});
}

void normal(const char* op, const TensorImpl&, double std) {
  if (std >= 0) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "std", "a number that is not negative", std::to_string(std)});
}

void uniform(const char* op, const TensorImpl& input, double from, double to) {
  check_holds(op, "from", input.key.dtype, from);
  check_holds(op, "to", input.key.dtype, to);
  double most = 0;
  visit_dtype(real_dtype(input.key.dtype), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!kIsComplex<T>) most = largest_finite<T>();
  });
  if (from <= to && to - from <= most) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "to",
                        concat("a number from 'from' (", from, ") on, at a distance that ",
                               input.key.dtype, " can hold"),
                        concat(to)});
}

}  // namespace eagre::dispatch::meta
