// Norms of matrices, and the choice between these and norms of vectors.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/amin.h>
#include <eagre/ops/linalg_cond.h>
#include <eagre/ops/linalg_cond_named.h>
#include <eagre/ops/linalg_inv_ex.h>
#include <eagre/ops/linalg_matrix_norm.h>
#include <eagre/ops/linalg_matrix_norm_named.h>
#include <eagre/ops/linalg_norm.h>
#include <eagre/ops/linalg_norm_named.h>
#include <eagre/ops/linalg_vector_norm.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/sum.h>

namespace eagre::ops {
namespace {

struct MatrixDims {
  int64_t rows, columns;
};

MatrixDims check_dims(const char* op, const TensorBase& input, Dims dim) {
  EAGRE_CHECK(input.get(op, "input").key.rank >= 2, kInvalidArgument, op,
              "(): argument 'input': The input tensor A must have at least 2 dimensions, but got ",
              input.dim());
  EAGRE_CHECK(dim.size() == 2, kInvalidArgument, op,
              "(): dim must be a 2-tuple, but argument 'dim' has ", dim.size(), " elements");
  const MatrixDims found{wrap_dim(op, "dim", dim[0], input.dim()),
                         wrap_dim(op, "dim", dim[1], input.dim())};
  EAGRE_CHECK(found.rows != found.columns, kInvalidArgument, op,
              "(): dims must be different, but argument 'dim' is ", dim);
  EAGRE_CHECK(is_differentiable(input.dtype()), kUnimplemented, op,
              "(): expected a floating point or complex tensor as input, but got ", input.dtype());
  return found;
}

[[noreturn]] void refuse_singular_values(const char* op, const char* argument,
                                         std::string_view order) {
  raise(ErrorKind::kUnimplemented, concat(op, "(): argument '", argument, "': ", order,
                                          " needs singular values, which are not there yet"));
}

TensorBase norm_by(const char* op, const TensorBase& input, double order, Dims dim, bool keepdim,
                   std::optional<DType> dtype, CallSite at) {
  const MatrixDims dims = check_dims(op, input, dim);
  const double size = std::abs(order);
  if (size == 2) refuse_singular_values(op, "ord", order < 0 ? "-2" : "2");
  EAGRE_CHECK(size == 1 || std::isinf(size), kInvalidArgument, op, "(): Order ", order,
              " not supported: argument 'ord' is one of 'fro', 'nuc', inf, -inf, 1, -1, 2, -2");
  // Sums along one dimension, and the largest or smallest of them along the other.
  const int64_t summed = size == 1 ? dims.rows : dims.columns;
  int64_t other = size == 1 ? dims.columns : dims.rows;
  const TensorBase sums = linalg_vector_norm(input, 1, summed, keepdim, dtype, at);
  if (!keepdim && summed < other) --other;
  const bool is_empty = sums.sizes()[static_cast<size_t>(other)] == 0;
  if (order > 0 && is_empty) return sum(sums, other, keepdim, {}, at);  // nothing is as large as 0
  return order > 0 ? amax(sums, other, keepdim, at) : amin(sums, other, keepdim, at);
}

TensorBase norm_called(const char* op, const TensorBase& input, std::string_view name, Dims dim,
                       bool keepdim, std::optional<DType> dtype, CallSite at) {
  check_dims(op, input, dim);
  if (name == "nuc") refuse_singular_values(op, "ord", "'nuc'");
  EAGRE_CHECK(name == "fro", kInvalidArgument, op, "(): Order ", name,
              " not supported: argument 'ord' is 'fro' or 'nuc', or a number");
  return linalg_vector_norm(input, 2, dim, keepdim, dtype, at);
}

DimVector last_two() { return DimVector({-2, -1}); }

}  // namespace

TensorBase linalg_matrix_norm(const TensorBase& input, double ord, Dims dim, bool keepdim,
                              std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  return norm_by("linalg_matrix_norm", input, ord, dim, keepdim, dtype, at);
}

TensorBase linalg_matrix_norm_named(const TensorBase& input, std::string_view ord, Dims dim,
                                    bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  return norm_called("linalg_matrix_norm", input, ord, dim, keepdim, dtype, at);
}

TensorBase linalg_norm(const TensorBase& input, std::optional<double> ord, const OptionalDims& dim,
                       bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_norm";
  const int64_t rank = input.get(op, "input").key.rank;
  if (!ord) return linalg_vector_norm(input, 2, dim, keepdim, dtype, at);
  const auto count = dim.given() ? static_cast<int64_t>(dim.values().size()) : rank;
  EAGRE_CHECK(count == 1 || count == 2, kInvalidArgument, op,
              dim.given() ? "(): If dim is specified, it must be of length 1 or 2, but argument "
                            "'dim' has length "
                          : "(): If dim is not specified but ord is, the input must be 1D or 2D, "
                            "but its number of dimensions is ",
              count);
  if (count == 2) {
    const DimVector dims = dim.given() ? DimVector(dim.values()) : last_two();
    return norm_by(op, input, *ord, dims, keepdim, dtype, at);
  }
  return linalg_vector_norm(input, *ord, dim, keepdim, dtype, at);
}

TensorBase linalg_norm_named(const TensorBase& input, std::string_view ord, const OptionalDims& dim,
                             bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_norm";
  EAGRE_CHECK(dim.given() || input.get(op, "input").key.rank == 2, kInvalidArgument, op,
              "(): The input tensor A must have exactly 2 dimensions where argument 'dim' is left "
              "out, but has ",
              input.dim());
  const DimVector dims = dim.given() ? DimVector(dim.values()) : last_two();
  return norm_called(op, input, ord, dims, keepdim, dtype, at);
}

namespace {

// norm(matrix) is called for the matrices and for their inverses.
template <class Norm>
TensorBase condition(const char* op, const TensorBase& input, const Norm& norm, CallSite at) {
  const Dims sizes = input.get(op, "input").sizes();
  EAGRE_CHECK(sizes.size() >= 2 && sizes.back() == sizes[sizes.size() - 2], kInvalidArgument, op,
              "(): argument 'input': A must be batches of square matrices with this 'p', but got "
              "shape ",
              sizes);
  const std::array<TensorBase, 2> found = linalg_inv_ex(input, false, at);
  const TensorBase product = mul(norm(input), norm(found[0]), at);
  return masked_fill(product, ne(found[1], 0, at), std::numeric_limits<double>::infinity(), at);
}

}  // namespace

TensorBase linalg_cond(const TensorBase& input, std::optional<double> p, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_cond";
  if (!p || std::abs(*p) == 2) refuse_singular_values(op, "p", !p ? "None" : "2");
  return condition(
      op, input, [&](const TensorBase& x) { return norm_by(op, x, *p, last_two(), false, {}, at); },
      at);
}

TensorBase linalg_cond_named(const TensorBase& input, std::string_view p, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_cond";
  if (p == "nuc") refuse_singular_values(op, "p", "'nuc'");
  return condition(
      op, input,
      [&](const TensorBase& x) { return norm_called(op, x, p, last_two(), false, {}, at); }, at);
}

}  // namespace eagre::ops
