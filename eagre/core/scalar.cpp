// Numbers in messages, and the error of conversions that lose more than a fraction.
#include <eagre/core/scalar.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/base/error.h>
#include <eagre/core/complex.h>
#include <eagre/core/dtype.h>

namespace eagre {
namespace {

const char* type_name(DTypeCategory category) {
  switch (category) {
    case DTypeCategory::kComplex: return "complex number";
    case DTypeCategory::kFloating: return "floating-point number";
    default: return "integer";
  }
}

}  // namespace

std::string text_of(const Scalar& value) {
  if (value.category() < DTypeCategory::kFloating) {
    return std::to_string(value.wrapped<int64_t>());
  }
  if (value.category() == DTypeCategory::kFloating) return concat(value.wrapped<double>());
  const auto number = value.wrapped<Complex<double>>();
  return concat(number.real, " + ", number.imag, "i");
}

void raise_overflow(const std::string& value, DTypeCategory to, size_t bytes) {
  raise(ErrorKind::kInvalidArgument, concat("value cannot be converted without overflow: ", value,
                                            " to a ", 8 * bytes, "-bit ", type_name(to)));
}

}  // namespace eagre
