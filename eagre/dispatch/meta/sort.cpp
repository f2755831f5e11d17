// Shapes of sorted elements, and of elements taken by their places.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

std::array<DimVector, 2> sorted(const char* op, const TensorImpl& input, int64_t dim) {
  wrap_dim(op, "dim", dim, input.key.rank);
  return {input.sizes(), input.sizes()};
}

std::array<DimVector, 2> topk(const char* op, const TensorImpl& input, int64_t k, int64_t dim) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  const int64_t available = input.key.rank == 0 ? 1 : input.sizes()[at];
  if (k < 0 || k > available) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "k",
                          concat("a number from 0 to ", available, ", the size of dimension ", dim),
                          std::to_string(k)});
  }
  DimVector sizes = input.sizes();
  if (!sizes.empty()) sizes[static_cast<size_t>(at)] = k;
  return {sizes, sizes};
}

DimVector put_along(const char* op, const TensorImpl& input, const TensorImpl& index, Dims size,
                    int64_t dim) {
  wrap_dim(op, "dim", dim, static_cast<int64_t>(size.size()));
  EAGRE_INTERNAL_CHECK(input.sizes() == index.sizes() && index.sizes().size() == size.size());
  return size;
}

DimVector take_along(const char* op, const TensorImpl& input, const TensorImpl& index,
                     int64_t dim) {
  wrap_dim(op, "dim", dim, input.key.rank);
  EAGRE_INTERNAL_CHECK(index.key.rank == input.key.rank);
  return index.sizes();
}

}  // namespace eagre::dispatch::meta
