// Dimensions sorted by the strides of several inputs.
#include <eagre/dispatch/result_strides.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/base/span.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::dispatch {
namespace {

// 0 where the input has no such dimension or repeats its elements along it.
int64_t stride_at(const TensorImpl& input, Dims shape, size_t dim) {
  const size_t lead = shape.size() - input.key.rank;
  if (dim < lead) return 0;
  const bool repeats = input.sizes()[dim - lead] == 1 && shape[dim] != 1;
  return repeats ? 0 : input.strides()[dim - lead];
}

enum class Order : uint8_t { kInside, kOutside, kUnknown };

// Where dimension `a` belongs in relation to `b`.
Order compare(Dims shape, Span<const TensorImpl* const> inputs, size_t a, size_t b) {
  for (const TensorImpl* input : inputs) {
    if (input == nullptr) continue;
    const int64_t x = stride_at(*input, shape, a), y = stride_at(*input, shape, b);
    if (x == 0 || y == 0) continue;
    if (x != y) return x < y ? Order::kInside : Order::kOutside;
    if (shape[a] > shape[b]) return Order::kOutside;  // the other one has a single element
  }
  return Order::kUnknown;
}

}  // namespace

DimVector result_strides(Dims shape, Span<const TensorImpl* const> inputs) {
  const size_t rank = shape.size();
  DimVector order(rank);  // from the innermost to the outermost
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(rank - 1 - i);
  // By insertion: pairs that no input can tell apart are passed over.
  for (size_t i = 1; i < rank; ++i) {
    size_t place = i;
    for (size_t k = i; k-- > 0;) {
      const Order found =
          compare(shape, inputs, static_cast<size_t>(order[k]), static_cast<size_t>(order[place]));
      if (found == Order::kInside) break;
      if (found == Order::kUnknown) continue;
      std::swap(order[k], order[place]);
      place = k;
    }
  }
  DimVector strides(rank);
  int64_t stride = 1;
  for (size_t i = 0; i < rank; ++i) {
    const auto dim = static_cast<size_t>(order[i]);
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

}  // namespace eagre::dispatch
