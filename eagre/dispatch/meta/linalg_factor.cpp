// Shapes of factorizations and inverses of matrices, and of solutions of equations.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

struct MatrixSizes {
  DimVector batch;
  int64_t rows, columns;
};

MatrixSizes check_matrices(const char* op, const char* argument, const TensorImpl& input) {
  const Dims sizes = input.sizes();
  EAGRE_CHECK(sizes.size() >= 2, kInvalidArgument, op, "(): argument '", argument,
              "': The input tensor ", argument, " must have at least 2 dimensions, but got ",
              sizes.empty() ? std::string("a 0-dim tensor") : concat("shape ", sizes));
  const size_t batch = sizes.size() - 2;
  // Numbers of rows are in int32 results.
  EAGRE_CHECK(sizes[batch] <= std::numeric_limits<int32_t>::max() &&
                  sizes[batch + 1] <= std::numeric_limits<int32_t>::max(),
              kInvalidArgument, op, "(): argument '", argument,
              "': expected matrices with fewer than 2**31 rows and columns, but got shape ", sizes);
  return {DimVector(Dims(sizes.data(), batch)), sizes[batch], sizes[batch + 1]};
}

MatrixSizes check_square(const char* op, const char* argument, const TensorImpl& input) {
  MatrixSizes found = check_matrices(op, argument, input);
  EAGRE_CHECK(found.rows == found.columns, kInvalidArgument, op, "(): argument '", argument,
              "': ", argument, " must be batches of square matrices, but they are ", found.rows,
              " by ", found.columns, " matrices");
  return found;
}

DimVector with(DimVector sizes, int64_t size) {
  sizes.push_back(size);
  return sizes;
}

DimVector solutions(const char* op, const char* argument, const TensorImpl& matrices,
                    const TensorImpl& b, bool left) {
  const MatrixSizes a = check_square(op, argument, matrices);
  const MatrixSizes right = check_matrices(op, "B", b);
  EAGRE_CHECK((left ? right.rows : right.columns) == a.rows, kInvalidArgument, op,
              "(): argument 'B': Incompatible shapes of A and B for the equation ",
              left ? "AX = B" : "XA = B", " (", a.rows, "x", a.columns, " and ", right.rows, "x",
              right.columns, ")");
  DimVector result = broadcast_shapes(op, a.batch, right.batch);
  result.push_back(right.rows);
  result.push_back(right.columns);
  checked_numel(op, result);
  return result;
}

}  // namespace

DimVector square(const char* op, const TensorImpl& input) {
  check_square(op, "input", input);
  return input.sizes();
}

std::array<DimVector, 2> cholesky(const char* op, const TensorImpl& input) {
  return {input.sizes(), check_square(op, "input", input).batch};
}

std::array<DimVector, 2> square_and_info(const char* op, const TensorImpl& input) {
  return {input.sizes(), check_square(op, "A", input).batch};
}

DimVector determinant(const char* op, const TensorImpl& input) {
  return check_square(op, "A", input).batch;
}

std::array<DimVector, 2> sign_and_logarithm(const char* op, const TensorImpl& input) {
  const DimVector batch = check_square(op, "A", input).batch;
  return {batch, batch};
}

std::array<DimVector, 3> lu_factor(const char* op, const TensorImpl& input) {
  const MatrixSizes a = check_matrices(op, "A", input);
  return {input.sizes(), with(a.batch, std::min(a.rows, a.columns)), a.batch};
}

DimVector pivots_to_rows(const char* op, const TensorImpl& pivots, int64_t count) {
  EAGRE_CHECK(pivots.key.rank >= 1 && pivots.sizes().back() <= count, kInvalidArgument, op,
              "(): argument 'LU_pivots': expected at most ", count,
              " pivots for each matrix, but got shape ", pivots.sizes());
  DimVector sizes = pivots.sizes();
  sizes.back() = count;
  return sizes;
}

std::array<DimVector, 2> qr(const char* op, const TensorImpl& input, std::string_view mode) {
  const MatrixSizes a = check_matrices(op, "A", input);
  EAGRE_CHECK(mode == "reduced" || mode == "complete" || mode == "r", kInvalidArgument, op,
              "(): argument 'mode': qr received unrecognized mode '", mode,
              "' but expected one of 'reduced' (default), 'r', or 'complete'");
  const int64_t least = std::min(a.rows, a.columns);
  const int64_t width = mode == "complete" ? a.rows : least;
  std::array<DimVector, 2> sizes = {with(with(a.batch, a.rows), width),
                                    with(with(a.batch, width), a.columns)};
  if (mode == "r") sizes[0] = DimVector({0});
  checked_numel(op, sizes[0]);
  return sizes;
}

DimVector triangular_solutions(const char* op, const TensorImpl& input, const TensorImpl& b,
                               bool left) {
  return solutions(op, "input", input, b, left);
}

std::array<DimVector, 4> factored_solutions(const char* op, const TensorImpl& input,
                                            const TensorImpl& b, bool left) {
  const DimVector result = solutions(op, "A", input, b, left);
  const MatrixSizes a = check_square(op, "A", input);
  return {result, input.sizes(), with(a.batch, a.rows), a.batch};
}

}  // namespace eagre::dispatch::meta
