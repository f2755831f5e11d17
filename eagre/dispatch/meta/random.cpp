// Shapes of random values, and checks of the numbers that shape them.
#include <cstdint>
#include <string>

#include <eagre/base/error.h>
#include <eagre/core/can_hold.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector randint(const char* op, int64_t low, int64_t high, Dims size) {
  if (low >= high) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "high", concat("more than the lowest number, ", low),
                          std::to_string(high)});
  }
  return sizes(op, size);
}

DimVector randperm(const char* op, int64_t n) { return counted(op, "n", n); }

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
