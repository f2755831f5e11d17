// Batches of products of matrices.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/batch_rules.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/transpose.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/view.h>

namespace eagre::autograd::rules {
namespace {

// A column times a row is no product worth the name: every element is one multiplication.
bool is_outer_product(const TensorBase& input, const TensorBase& other) {
  return input.dim() == other.dim() && input.sizes().back() == 1;
}

}  // namespace

TensorBase matmul(const BatchCall& call, const TensorBase& input, const TensorBase& other,
                  CallSite at) {
  const bool input_is_vector = input.dim() == 1;
  const bool other_is_vector = other.dim() == 1;
  if (input_is_vector && other_is_vector) {
    if (input.sizes() == other.sizes()) {
      const TensorBase products = ops::mul(call.first(input), call.first(other), at);
      return call.result(ops::sum(products, -1, false, {}, at));
    }
    return call.loop([&](int64_t n) {  // which says what is wrong
      return ops::matmul(call.sample(input, n), call.sample(other, n), at);
    });
  }
  // Vectors of one batch times one matrix are rows of a matrix.
  if (input_is_vector && !call.is_batched(other)) {
    if (other.dim() == 2) return call.result(ops::matmul(call.first(input), other, at));
  }
  if (other_is_vector && !call.is_batched(input) && input.dim() == 2) {
    const TensorBase columns = ops::transpose(input, 0, 1, at);
    return call.result(ops::matmul(call.first(other), columns, at));
  }
  if (!input_is_vector && !call.is_batched(other) && other.dim() <= 2) {
    return call.result(ops::matmul(call.first(input), other, at));
  }
  // One matrix times few columns per sample: the same as their rows times the matrix, turned round.
  constexpr int64_t kFewColumns = 16;
  if (!call.is_batched(input) && input.dim() == 2 && other.dim() == 2 &&
      other.sizes()[1] <= kFewColumns && input.sizes()[1] == other.sizes()[0]) {
    const int64_t columns = other.sizes()[1];
    const int64_t flat[] = {call.size() * columns, input.sizes()[1]};
    const int64_t sizes[] = {call.size(), columns, input.sizes()[0]};
    const TensorBase turned = ops::transpose(call.first(other), -2, -1, at);
    const TensorBase rows = ops::reshape(turned, Dims(flat, 2), at);
    const TensorBase product = ops::matmul(rows, ops::transpose(input, 0, 1, at), at);
    return call.result(ops::transpose(ops::view(product, Dims(sizes, 3), at), -2, -1, at));
  }
  const int64_t rank = std::max({input.dim(), other.dim(), int64_t{2}});
  const auto as_matrices = [&](const TensorBase& tensor, bool is_vector, int64_t place) {
    TensorBase batch = call.first(tensor);
    if (is_vector) batch = ops::unsqueeze(batch, place, at);
    const int64_t own = tensor.dim() + (is_vector ? 1 : 0);
    if (!call.is_batched(tensor) || own == rank) return batch;
    DimVector sizes({call.size()});
    for (int64_t i = own; i < rank; ++i) sizes.push_back(1);
    for (int64_t i = 1; i <= own; ++i) sizes.push_back(batch.sizes()[static_cast<size_t>(i)]);
    return ops::reshape(batch, sizes, at);
  };
  const TensorBase left = as_matrices(input, input_is_vector, -2);
  const TensorBase right = as_matrices(other, other_is_vector, -1);
  TensorBase product = is_outer_product(left, right) && right.sizes()[right.dim() - 2] == 1
                           ? ops::mul(left, right, at)
                           : ops::matmul(left, right, at);
  if (input_is_vector) product = ops::squeeze(product, -2, at);
  if (other_is_vector) product = ops::squeeze(product, -1, at);
  return call.result(product);
}

}  // namespace eagre::autograd::rules
