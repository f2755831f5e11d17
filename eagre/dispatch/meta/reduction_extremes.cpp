// Shapes of largest and smallest elements, and of their places.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

[[noreturn]] void refuse_empty(const char* op, const char* argument, std::string expected,
                               const TensorImpl& input) {
  raise(ErrorKind::kIndex,
        ArgumentProblem{op, argument, std::move(expected), concat("shape ", input.sizes()),
                        "nothing has no extreme value"});
}

// One dimension that is reduced, counted from the front; it must not be empty.
int64_t dim_with_elements(const char* op, const TensorImpl& input, int64_t dim) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  if (input.key.rank > 0 && input.sizes()[at] == 0) {
    refuse_empty(op, "dim", "a dimension with at least one element", input);
  }
  return at;
}

DimVector without(Dims sizes, int64_t dim, bool keepdim) {
  DimVector result = sizes;
  if (result.empty()) return result;
  if (keepdim) {
    result[static_cast<size_t>(dim)] = 1;
  } else {
    result.erase(static_cast<size_t>(dim));
  }
  return result;
}

}  // namespace

DimVector reduced_extreme(const char* op, const TensorImpl& input, const OptionalDims& dim,
                          bool keepdim) {
  for (int64_t d : dim.values()) dim_with_elements(op, input, d);
  if (dim.values().empty() && input.numel == 0) {
    refuse_empty(op, "input", "a tensor with at least one element", input);
  }
  return reduced(op, input, dim, keepdim);
}

std::array<DimVector, 2> extreme_along(const char* op, const TensorImpl& input, int64_t dim,
                                       bool keepdim) {
  const DimVector sizes = without(input.sizes(), dim_with_elements(op, input, dim), keepdim);
  return {sizes, sizes};
}

DimVector place_of_extreme(const char* op, const TensorImpl& input, std::optional<int64_t> dim,
                           bool keepdim) {
  if (dim) return without(input.sizes(), dim_with_elements(op, input, *dim), keepdim);
  if (input.numel == 0) {
    refuse_empty(op, "input", "a tensor with at least one element", input);
  }
  return keepdim ? DimVector(input.sizes().size(), 1) : DimVector();
}

}  // namespace eagre::dispatch::meta
