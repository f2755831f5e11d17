// Powers and exponentials of matrices, and products of vectors.
#include <cstdint>
#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/adjoint.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/cross.h>
#include <eagre/ops/cumprod.h>
#include <eagre/ops/diagonal.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/eye.h>
#include <eagre/ops/linalg_cross.h>
#include <eagre/ops/linalg_diagonal.h>
#include <eagre/ops/linalg_inv.h>
#include <eagre/ops/linalg_matrix_exp.h>
#include <eagre/ops/linalg_matrix_power.h>
#include <eagre/ops/linalg_vander.h>
#include <eagre/ops/linalg_vecdot.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/matrix_exp.h>
#include <eagre/ops/matrix_exp_grad.h>
#include <eagre/ops/matrix_exp_tangent.h>
#include <eagre/ops/matrix_power.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/ones.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/zeros_like.h>

namespace eagre::ops {

TensorBase matrix_exp(const TensorBase& input, CallSite at) { return linalg_matrix_exp(input, at); }

// exp of [A t; 0 A] has it beside exp(A) (C. Van Loan, "Computing Integrals Involving the Matrix
// Exponential", 1978).
TensorBase matrix_exp_tangent(const TensorBase& t, const TensorBase& input, CallSite at) {
  const int64_t n = input.sizes().back();
  const TensorBase zeros = zeros_like(input, MemoryFormat::kContiguous, {}, at);
  const TensorBase top = cat(TensorVector{input, t}, -1, at);
  const TensorBase bottom = cat(TensorVector{zeros, input}, -1, at);
  const TensorBase both = linalg_matrix_exp(cat(TensorVector{top, bottom}, -2, at), at);
  return narrow(narrow(both, -2, 0, n, at), -1, n, n, at);
}

// What was saved comes conjugated.
TensorBase matrix_exp_grad(const TensorBase& g, const TensorBase& input, CallSite at) {
  return matrix_exp_tangent(g, turned(input, at), at);
}

namespace {

TensorBase power(const char* op, const TensorBase& input, int64_t n, CallSite at) {
  const Dims sizes = input.get(op, "input").sizes();
  EAGRE_CHECK(sizes.size() >= 2, kInvalidArgument, op,
              "(): argument 'input': The input tensor A must have at least 2 dimensions, but got ",
              sizes.size());
  EAGRE_CHECK(sizes.back() == sizes[sizes.size() - 2], kInvalidArgument, op,
              "(): argument 'input': A must be batches of square matrices, but they are ",
              sizes[sizes.size() - 2], " by ", sizes.back(), " matrices");
  if (n == 0) {
    const TensorOptions options = TensorOptions(input.dtype()).device(input.device());
    const TensorBase one = eye(sizes.back(), {}, options, at);
    const TensorBase result = clone(input, at);  // a part of the graph, as PyTorch has it
    copy_(result, one, false, at);
    return result;
  }
  if (n == 1) return clone(input, at);
  TensorBase square = n < 0 ? linalg_inv(input, at) : input;
  // The sizes of the smallest number are no int64.
  uint64_t left = n < 0 ? ~static_cast<uint64_t>(n) + 1 : static_cast<uint64_t>(n);
  TensorBase result;
  for (;; square = matmul(square, square, at)) {
    if (left % 2 != 0) result = result.defined() ? matmul(result, square, at) : square;
    left /= 2;
    if (left == 0) return result;
  }
}

}  // namespace

TensorBase matrix_power(const TensorBase& input, int64_t n, CallSite at) {
  const SiteScope scope(at);
  return power("matrix_power", input, n, at);
}

TensorBase linalg_matrix_power(const TensorBase& input, int64_t n, CallSite at) {
  const SiteScope scope(at);
  return power("linalg_matrix_power", input, n, at);
}

TensorBase linalg_vecdot(const TensorBase& x, const TensorBase& y, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_vecdot";
  EAGRE_CHECK(x.get(op, "x").key.dtype == y.get(op, "y").key.dtype, kType, op,
              "(): expected both tensors to have the same dtype, but argument 'x' is of ",
              x.dtype(), " and 'y' of ", y.dtype());
  const DimVector shape = broadcast_shapes(op, x.sizes(), y.sizes());
  wrap_dim(op, "dim", dim, static_cast<int64_t>(shape.size()));
  return sum(mul(conj(x, at), y, at), dim, false, {}, at);
}

TensorBase linalg_vander(const TensorBase& x, std::optional<int64_t> count, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_vander";
  const bool is_number = x.get(op, "x").key.rank == 0;
  const int64_t powers = count.value_or(is_number ? 1 : x.sizes().back());
  EAGRE_CHECK(powers > 1, kInvalidArgument, op,
              "(): N must be greater than 1, but argument 'N' is ", powers);
  const TensorBase elements = is_number ? unsqueeze(x, 0, at) : x;
  DimVector sizes = elements.sizes();
  sizes.push_back(powers - 1);
  checked_numel(op, sizes);
  const TensorBase products = cumprod(expand(unsqueeze(elements, -1, at), sizes, at), -1, {}, at);
  sizes.back() = 1;
  const TensorOptions options = TensorOptions(products.dtype()).device(x.device());
  return cat(TensorVector{ones(sizes, options, at), products}, -1, at);
}

TensorBase linalg_diagonal(const TensorBase& input, int64_t offset, int64_t dim1, int64_t dim2,
                           CallSite at) {
  return diagonal(input, offset, dim1, dim2, at);
}

TensorBase linalg_cross(const TensorBase& input, const TensorBase& other, int64_t dim,
                        CallSite at) {
  return cross(input, other, dim, at);
}

}  // namespace eagre::ops
