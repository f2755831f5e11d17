// Shapes of matrix products.
#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector matmul(const char* op, const TensorImpl& input, const TensorImpl& other) {
  const Dims a = input.sizes();
  const Dims b = other.sizes();
  for (const auto& [dims, name] : {std::pair(a, "input"), std::pair(b, "other")}) {
    if (!dims.empty()) continue;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, name, "a vector, a matrix or a batch of matrices", "a 0-dim tensor",
                          "multiply by a number with *"});
  }
  const int64_t inner = a.back();
  const int64_t rows = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (inner != rows) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{
              op, "other", concat("a matrix with ", inner, " rows, to fit 'input' of shape ", a),
              concat("shape ", b),
              a.size() >= 2 && b.size() >= 2 && inner == b.back() ? "transpose 'other'" : ""});
  }
  const size_t a_batch = a.size() < 2 ? 0 : a.size() - 2;
  const size_t b_batch = b.size() < 2 ? 0 : b.size() - 2;
  DimVector result = broadcast_shapes(op, {a.data(), a_batch}, {b.data(), b_batch});
  if (a.size() >= 2) result.push_back(a[a.size() - 2]);
  if (b.size() >= 2) result.push_back(b.back());
  checked_numel(op, result);
  return result;
}

}  // namespace eagre::dispatch::meta
