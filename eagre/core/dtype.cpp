// Names of element types and the default dtype.
#include <eagre/core/dtype.h>

#include <atomic>

#include <eagre/base/error.h>

namespace eagre {
namespace {
std::atomic<DType> default_floating{DType::kFloat32};
}

std::string_view to_string(DType dtype) {
  constexpr std::string_view kNames[kDTypeCount] = {"bool", "int64", "float32", "float64"};
  return kNames[static_cast<size_t>(dtype)];
}

DType default_dtype() { return default_floating.load(std::memory_order_relaxed); }

void set_default_dtype(DType dtype) {
  EAGRE_CHECK(is_floating_point(dtype), kType,
              "set_default_dtype(): only floating-point types can be the default type, but got ",
              dtype);
  default_floating.store(dtype, std::memory_order_relaxed);
}

}  // namespace eagre
