// Cholesky and QR factorizations: older forms, and gradients.
#include <array>
#include <cstdint>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/adjoint.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/cholesky.h>
#include <eagre/ops/cholesky_grad.h>
#include <eagre/ops/cholesky_inverse.h>
#include <eagre/ops/cholesky_solve.h>
#include <eagre/ops/cholesky_tangent.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/eye.h>
#include <eagre/ops/linalg_cholesky.h>
#include <eagre/ops/linalg_cholesky_ex.h>
#include <eagre/ops/linalg_qr.h>
#include <eagre/ops/linalg_solve_triangular.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/qr.h>
#include <eagre/ops/qr_grad.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/tril.h>
#include <eagre/ops/triu.h>

namespace eagre::ops {
namespace {

// A triangle with half of the diagonal.
TensorBase lower_half(const TensorBase& x, CallSite at) {
  return mul(add(tril(x, 0, at), tril(x, -1, at), 1, at), 0.5, at);
}
TensorBase upper_half(const TensorBase& x, CallSite at) {
  return mul(add(triu(x, 0, at), triu(x, 1, at), 1, at), 0.5, at);
}
TensorBase plus_adjoint(const TensorBase& x, CallSite at) { return add(x, adjoint(x, at), 1, at); }

// x @ triangle^-1
TensorBase divided(const TensorBase& x, const TensorBase& triangle, bool upper, CallSite at) {
  return linalg_solve_triangular(triangle, x, upper, false, false, at);
}

void check_factor(const char* op, const char* argument, const TensorBase& factor) {
  const Dims sizes = factor.get(op, argument).sizes();
  EAGRE_CHECK(sizes.size() >= 2, kInvalidArgument, op, "(): argument '", argument,
              "': expected a tensor of at least 2 dimensions, but got ", sizes.size());
  EAGRE_CHECK(sizes.back() == sizes[sizes.size() - 2], kInvalidArgument, op, "(): argument '",
              argument, "': ", argument, " must be batches of square matrices, but they are ",
              sizes[sizes.size() - 2], " by ", sizes.back(), " matrices");
}

}  // namespace

TensorBase linalg_cholesky(const TensorBase& input, bool upper, CallSite at) {
  const SiteScope scope(at);
  return linalg_cholesky_ex(input, upper, true, at)[0];
}

TensorBase cholesky(const TensorBase& input, bool upper, CallSite at) {
  const SiteScope scope(at);
  return linalg_cholesky_ex(input, upper, true, at)[0];
}

TensorBase cholesky_solve(const TensorBase& input, const TensorBase& input2, bool upper,
                          CallSite at) {
  const SiteScope scope(at);
  const char* const op = "cholesky_solve";
  check_factor(op, "input2", input2);
  EAGRE_CHECK(input.get(op, "input").key.rank >= 2, kInvalidArgument, op,
              "(): argument 'input': b should have at least 2 dimensions, but has ", input.dim(),
              " dimensions instead");
  const TensorBase lower = upper ? adjoint(input2, at) : input2;
  const TensorBase half = linalg_solve_triangular(lower, input, false, true, false, at);
  return linalg_solve_triangular(adjoint(lower, at), half, true, true, false, at);
}

TensorBase cholesky_inverse(const TensorBase& input, bool upper, CallSite at) {
  const SiteScope scope(at);
  check_factor("cholesky_inverse", "input", input);
  const TensorOptions options = TensorOptions(input.dtype()).device(input.device());
  const TensorBase ones = eye(input.sizes().back(), {}, options, at);
  return cholesky_solve(expand(ones, input.sizes(), at), input, upper, at);
}

// With L: the Hermitian part of L^-H F(L^H g) L^-1, where F takes the lower half (I. Murray,
// "Differentiation of the Cholesky decomposition", 2016).
TensorBase cholesky_grad(const TensorBase& g, const TensorBase& factor, bool upper, CallSite at) {
  const TensorBase lower = upper ? adjoint(factor, at) : factor;
  const TensorBase turned = adjoint(lower, at);
  const TensorBase half = lower_half(matmul(turned, upper ? adjoint(g, at) : g, at), at);
  const TensorBase inner = mul(plus_adjoint(half, at), 0.5, at);
  const TensorBase left = linalg_solve_triangular(turned, inner, true, true, false, at);
  return divided(left, lower, false, at);
}

// L F(L^-1 t L^-H)
TensorBase cholesky_tangent(const TensorBase& t, const TensorBase& factor, bool upper,
                            CallSite at) {
  const TensorBase lower = upper ? adjoint(factor, at) : factor;
  const TensorBase left = linalg_solve_triangular(lower, t, false, true, false, at);
  const TensorBase inner = divided(left, adjoint(lower, at), true, at);
  const TensorBase moved = matmul(lower, lower_half(inner, at), at);
  return upper ? adjoint(moved, at) : moved;
}

std::array<TensorBase, 2> qr(const TensorBase& input, bool some, CallSite at) {
  const SiteScope scope(at);
  return linalg_qr(input, some ? "reduced" : "complete", at);
}

namespace {

// Of matrices that are not wider than high: with A = Q R, dR = E R, where E is the upper half of
// M + M^H, M = Q^H dA R^-1; and dQ = dA R^-1 - Q E.
TensorBase qr_grad_of_columns(const TensorBase& g_q, const TensorBase& g_r, const TensorBase& q,
                              const TensorBase& r, CallSite at) {
  const TensorBase of_r = matmul(g_r, adjoint(r, at), at);
  const TensorBase of_q = matmul(adjoint(q, at), g_q, at);
  const TensorBase inner = plus_adjoint(upper_half(sub(of_r, of_q, 1, at), at), at);
  const TensorBase sum = add(g_q, matmul(q, inner, at), 1, at);
  return divided(sum, adjoint(r, at), false, at);
}

}  // namespace

TensorBase qr_grad(const TensorBase& g_q, const TensorBase& g_r, const TensorBase& q,
                   const TensorBase& r, Dims size, std::string_view mode, CallSite at) {
  const int64_t rows = size[size.size() - 2], columns = size.back();
  EAGRE_CHECK(mode != "r", kAutograd,
              "linalg_qr(): The derivative of linalg.qr depends on Q, which is not computed when "
              "mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to "
              "differentiate through linalg.qr.");
  EAGRE_CHECK(mode == "reduced" || rows <= columns, kAutograd,
              "linalg_qr(): The QR decomposition is not differentiable when mode='complete' and "
              "nrows > ncols.");
  if (rows >= columns) return qr_grad_of_columns(g_q, g_r, q, r, at);
  // The first columns are such a matrix, and the others are Q times their part of R.
  const TensorBase rest = narrow(r, -1, rows, columns - rows, at);
  const TensorBase g_rest = narrow(g_r, -1, rows, columns - rows, at);
  const TensorBase others = matmul(q, g_rest, at);
  const TensorBase more = matmul(matmul(q, rest, at), adjoint(g_rest, at), at);
  const TensorBase first = qr_grad_of_columns(add(g_q, more, 1, at), narrow(g_r, -1, 0, rows, at),
                                              q, narrow(r, -1, 0, rows, at), at);
  return cat(TensorVector{first, others}, -1, at);
}

}  // namespace eagre::ops
