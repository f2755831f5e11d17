// Numbers that are to become elements: those that the dtype cannot hold are refused, as the result
// of a conversion out of range is nobody's intention.
#include <cmath>

#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

// The largest number of the dtype; for integers also minus the smallest, less 1.
double limit(DType dtype) {
  switch (dtype) {
    case kUInt8: return 255;
    case kInt8: return 127;
    case kUInt16: return 65535;
    case kInt16: return 32767;
    case kUInt32: return 4294967295.0;
    case kInt32: return 2147483647;
    case kInt64: return 9223372036854775807.0;
    case kUInt64: return 18446744073709551615.0;
    case kFloat16: return 65504;
    case kBFloat16: return 3.3895313892515355e38;
    case kFloat32:
    case kComplex64: return 3.4028234663852886e38;
    default: return INFINITY;
  }
}

bool fits(DType dtype, double value) {
  if (dtype == kBool) return true;
  if (is_differentiable(dtype)) return !std::isfinite(value) || std::fabs(value) <= limit(dtype);
  if (dtype == kInt64 || dtype == kUInt64) return std::fabs(value) < limit(dtype);
  return value <= limit(dtype) && value >= -limit(dtype) - 1;
}

}  // namespace

void check_holds(const char* op, const char* argument, DType dtype, const Scalar& number) {
  if (number.category() < DTypeCategory::kFloating) {
    const auto value = number.to<int64_t>();
    const bool small = value >= -128 && value <= 127;
    if (small || dtype == kInt64 || dtype == kUInt64 || fits(dtype, static_cast<double>(value))) {
      return;
    }
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, concat("a number that ", dtype, " can hold"),
                          std::to_string(value)});
  }
  if (number.category() == DTypeCategory::kComplex) {
    const auto value = number.to<Complex<double>>();
    if (is_complex(dtype) || dtype == kBool || (value.imag == 0 && fits(dtype, value.real))) return;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, concat("a number that ", dtype, " can hold"),
                          concat(value.real, " + ", value.imag, "i")});
  }
  if (fits(dtype, number.to<double>())) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, argument, concat("a number that ", dtype, " can hold"),
                        concat(number.to<double>())});
}

void holds(const char* op, const TensorImpl& input, const Scalar& value) {
  check_holds(op, "value", input.key.dtype, value);
}

}  // namespace eagre::dispatch::meta
