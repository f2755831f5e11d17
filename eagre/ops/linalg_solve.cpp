// Inverses, equations and determinants: the public forms, and gradients.
#include <array>
#include <cstdint>
#include <utility>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/adjoint.h>
#include <eagre/ops/complex.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/det.h>
#include <eagre/ops/det_fused_grad.h>
#include <eagre/ops/det_grad.h>
#include <eagre/ops/factored_solutions.h>
#include <eagre/ops/imag.h>
#include <eagre/ops/inverse.h>
#include <eagre/ops/inverse_grad.h>
#include <eagre/ops/linalg_det.h>
#include <eagre/ops/linalg_inv.h>
#include <eagre/ops/linalg_inv_ex.h>
#include <eagre/ops/linalg_lu_solve.h>
#include <eagre/ops/linalg_slogdet.h>
#include <eagre/ops/linalg_solve.h>
#include <eagre/ops/linalg_solve_ex.h>
#include <eagre/ops/log.h>
#include <eagre/ops/logdet.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/slogdet.h>
#include <eagre/ops/slogdet_grad.h>
#include <eagre/ops/solve_adjoint.h>
#include <eagre/ops/solve_again.h>
#include <eagre/ops/solve_grad.h>
#include <eagre/ops/solve_tangent.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/sum_of_products.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

// A number for each matrix, as a matrix of one element.
TensorBase of_matrices(const TensorBase& numbers, CallSite at) {
  return unsqueeze(unsqueeze(numbers, -1, at), -1, at);
}

}  // namespace

TensorBase linalg_inv(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  return std::move(linalg_inv_ex(input, true, at)[0]);
}

TensorBase inverse(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  return std::move(linalg_inv_ex(input, true, at)[0]);
}

TensorBase inverse_grad(const TensorBase& g, const TensorBase& inverse, CallSite at) {
  const TensorBase other = turned(inverse, at);
  return neg(matmul(matmul(other, g, at), other, at), at);
}

// --- equations ---

std::array<TensorBase, 2> linalg_solve_ex(const TensorBase& input, const TensorBase& b, bool left,
                                          bool check_errors, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_solve";
  const Dims sizes = input.get(op, "A").sizes(), right = b.get(op, "B").sizes();
  const bool is_vector =
      right.size() == 1 || (sizes.size() >= 2 && sizes.size() - 1 == right.size() &&
                            right == Dims(sizes.data(), sizes.size() - 1));
  if (!is_vector) {
    std::array<TensorBase, 4> found = factored_solutions(input, b, left, check_errors, at);
    return {std::move(found[0]), std::move(found[3])};
  }
  EAGRE_CHECK(left, kInvalidArgument, op,
              "(): Vector broadcasting of the left hand side is not supported for left=False. In "
              "this case linalg.solve is equivalent to B / A.squeeze(-1)");
  std::array<TensorBase, 4> found =
      factored_solutions(input, unsqueeze(b, -1, at), left, check_errors, at);
  return {squeeze(found[0], -1, at), std::move(found[3])};
}

TensorBase linalg_solve(const TensorBase& input, const TensorBase& b, bool left, CallSite at) {
  const SiteScope scope(at);
  return std::move(linalg_solve_ex(input, b, left, true, at)[0]);
}

// The factors serve again where nobody differentiates.
TensorBase solve_again(const TensorBase& t, const TensorBase& input, const TensorBase& factors,
                       const TensorBase& pivots, bool left, CallSite at) {
  if (autograd::is_traced(t, input)) return factored_solutions(input, t, left, false, at)[0];
  return linalg_lu_solve(factors, pivots, t, left, false, at);
}

// What was saved comes conjugated.
TensorBase solve_adjoint(const TensorBase& g, const TensorBase& input, const TensorBase& factors,
                         const TensorBase& pivots, bool left, CallSite at) {
  if (autograd::is_traced(g, input)) {
    return factored_solutions(turned(input, at), g, left, false, at)[0];
  }
  return linalg_lu_solve(conj(factors, at), pivots, g, left, true, at);
}

TensorBase solve_grad(const TensorBase& g, const TensorBase& input, const TensorBase& factors,
                      const TensorBase& pivots, const TensorBase& solution, bool left,
                      CallSite at) {
  const TensorBase of_b = solve_adjoint(g, input, factors, pivots, left, at);
  const TensorBase other = turned(solution, at);
  return neg(left ? matmul(of_b, other, at) : matmul(other, of_b, at), at);
}

TensorBase solve_tangent(const TensorBase& t, const TensorBase& input, const TensorBase& factors,
                         const TensorBase& pivots, const TensorBase& solution, bool left,
                         CallSite at) {
  const TensorBase moved = left ? matmul(t, solution, at) : matmul(solution, t, at);
  return neg(solve_again(moved, input, factors, pivots, left, at), at);
}

// --- determinants ---

TensorBase det(const TensorBase& input, CallSite at) { return linalg_det(input, at); }

TensorBase det_grad(const TensorBase& g, const TensorBase& input, const TensorBase& det,
                    CallSite at) {
  if (!autograd::is_traced(g, input, det)) return det_fused_grad(g, input, at);
  const TensorBase inverse = linalg_inv_ex(input, false, at)[0];
  return mul(of_matrices(mul(g, det, at), at), turned(inverse, at), at);
}

TensorBase sum_of_products(const TensorBase& input, const TensorBase& other, CallSite at) {
  const int64_t dims[] = {-2, -1};
  return sum(mul(input, other, at), Dims(dims, 2), false, {}, at);
}

std::array<TensorBase, 2> slogdet(const TensorBase& input, CallSite at) {
  return linalg_slogdet(input, at);
}

TensorBase logdet(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  const std::array<TensorBase, 2> found = linalg_slogdet(input, at);
  return add(log(found[0], at), found[1], 1, at);
}

// d log(det) = trace(A^-1 dA), of which the real part moves the logarithm, and the imaginary one
// turns the sign.
TensorBase slogdet_grad(const TensorBase& g_sign, const TensorBase& g_logarithm,
                        const TensorBase& input, const TensorBase& sign, CallSite at) {
  TensorBase weight = g_logarithm;
  if (is_complex(sign.dtype())) {
    const TensorBase turn = imag(mul(g_sign, conj(sign, at), at), at);
    weight = complex(g_logarithm, turn, at);
  }
  const TensorBase inverse = linalg_inv_ex(input, false, at)[0];
  return mul(of_matrices(weight, at), adjoint(inverse, at), at);
}

}  // namespace eagre::ops
