// Shapes of random values, and checks of the numbers that shape them.
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/can_hold.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector randint(const char* op, int64_t low, int64_t high, Dims size) {
  if (low >= high) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): random_ expects 'from' to be less than 'to', but got from=", low,
                 " >= to=", high, ": argument 'high' must be more than the lowest number, ", low,
                 ", but got ", high));
  }
  return sizes(op, size);
}

DimVector randperm(const char* op, int64_t n) { return counted(op, "n", n); }

void bernoulli_fill(const char* op, const TensorImpl&, double p) {
  if (p >= 0 && p <= 1) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "p", "a probability from 0 to 1", concat(p)});
}

void normal(const char* op, const TensorImpl&, double std) {
  if (std >= 0) return;
  raise(ErrorKind::kInvalidArgument, concat(op, "(): normal expects std >= 0.0, but found std ",
                                            std, ": argument 'std' must not be negative"));
}

void uniform(const char* op, const TensorImpl& input, double from, double to) {
  check_holds(op, "from", input.key.dtype, from);
  check_holds(op, "to", input.key.dtype, to);
  double most = 0;
  visit_dtype(real_dtype(input.key.dtype), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!kIsComplex<T>) most = largest_finite<T>();
  });
  if (from > to) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): uniform_ expects to return a [from, to) range, but found from=",
                 text_of(from), " > to=", text_of(to),
                 ": argument 'to' must not be less than 'from'"));
  }
  if (to - from <= most) return;
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): uniform_ expects to-from to be a number that ", input.key.dtype,
               " can hold, but argument 'from' is ", text_of(from), " and 'to' ", text_of(to)));
}

}  // namespace eagre::dispatch::meta
