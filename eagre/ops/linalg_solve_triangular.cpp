// Equations with triangles: the older form, and gradients.
#include <array>
#include <cstdint>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/adjoint.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/linalg_solve_triangular.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/triangular_adjoint.h>
#include <eagre/ops/triangular_grad.h>
#include <eagre/ops/triangular_solve.h>
#include <eagre/ops/triangular_tangent.h>
#include <eagre/ops/tril.h>
#include <eagre/ops/triu.h>

namespace eagre::ops {
namespace {

// What is read of a triangle.
TensorBase read_part(const TensorBase& matrix, bool upper, bool unitriangular, CallSite at) {
  const int64_t first = unitriangular ? 1 : 0;
  return upper ? triu(matrix, first, at) : tril(matrix, -first, at);
}

}  // namespace

std::array<TensorBase, 2> triangular_solve(const TensorBase& input, const TensorBase& coefficients,
                                           bool upper, bool transpose, bool unitriangular,
                                           CallSite at) {
  const SiteScope scope(at);
  const char* const op = "triangular_solve";
  for (const auto& [tensor, name] : {std::pair(&input, "input"), std::pair(&coefficients, "A")}) {
    EAGRE_CHECK(tensor->get(op, name).key.rank >= 2, kInvalidArgument, op, "(): argument '", name,
                "': expected a tensor with at least 2 dimensions, but it has ", tensor->dim());
  }
  const TensorBase triangle = transpose ? turned(coefficients, at) : coefficients;
  const TensorBase solution =
      linalg_solve_triangular(triangle, input, upper != transpose, true, unitriangular, at);
  // PyTorch repeats the triangles as often as there are solutions.
  const Dims sizes = solution.sizes(), own = coefficients.sizes();
  DimVector whole(Dims(sizes.data(), sizes.size() - 2));
  whole.push_back(own[own.size() - 2]);
  whole.push_back(own.back());
  return {solution, clone(expand(coefficients, whole, at), at)};
}

// What was saved comes conjugated.
TensorBase triangular_adjoint(const TensorBase& g, const TensorBase& triangle, bool upper,
                              bool left, bool unitriangular, CallSite at) {
  return linalg_solve_triangular(turned(triangle, at), g, !upper, left, unitriangular, at);
}

TensorBase triangular_grad(const TensorBase& g, const TensorBase& triangle,
                           const TensorBase& solution, bool upper, bool left, bool unitriangular,
                           CallSite at) {
  const TensorBase of_b = triangular_adjoint(g, triangle, upper, left, unitriangular, at);
  const TensorBase other = turned(solution, at);
  const TensorBase product = left ? matmul(of_b, other, at) : matmul(other, of_b, at);
  return neg(read_part(product, upper, unitriangular, at), at);
}

TensorBase triangular_tangent(const TensorBase& t, const TensorBase& triangle,
                              const TensorBase& solution, bool upper, bool left, bool unitriangular,
                              CallSite at) {
  const TensorBase own = read_part(t, upper, unitriangular, at);
  const TensorBase moved = left ? matmul(own, solution, at) : matmul(solution, own, at);
  return neg(linalg_solve_triangular(triangle, moved, upper, left, unitriangular, at), at);
}

}  // namespace eagre::ops
