// Equations with matrices that are given by their LU factors.
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/adjoint.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/linalg_lu_solve.h>
#include <eagre/ops/linalg_solve_triangular.h>
#include <eagre/ops/lu_solve.h>
#include <eagre/ops/pivots_to_rows.h>
#include <eagre/ops/rows_in.h>

namespace eagre::ops {

TensorBase linalg_lu_solve(const TensorBase& factors, const TensorBase& pivots, const TensorBase& b,
                           bool left, bool adjoint, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_lu_solve";
  const Dims sizes = factors.get(op, "LU").sizes();
  EAGRE_CHECK(sizes.size() >= 2 && sizes.back() == sizes[sizes.size() - 2], kInvalidArgument, op,
              "(): argument 'LU' must be batches of square matrices, but got shape ", sizes);
  EAGRE_CHECK(b.get(op, "B").key.rank >= 2, kInvalidArgument, op,
              "(): argument 'B' must have at least 2 dimensions, but got shape ", b.sizes());
  EAGRE_CHECK(pivots.get(op, "pivots").key.dtype == DType::kInt32, kType, op,
              "(): Expected 'pivots' to be of dtype int32, but got ", pivots.dtype());
  EAGRE_CHECK(pivots.dim() >= 1 && pivots.sizes() == Dims(sizes.data(), sizes.size() - 1),
              kInvalidArgument, op,
              "(): Number of pivots per batch should be same as the dimension of the matrix: "
              "expected 'pivots' of shape ",
              Dims(sizes.data(), sizes.size() - 1), ", but got shape ", pivots.sizes());
  EAGRE_CHECK((left ? rows_of(b) : columns_of(b)) == sizes.back(), kInvalidArgument, op,
              "(): argument 'B': Incompatible shapes of A and B for the equation ",
              left ? "AX = B" : "XA = B", " (", sizes.back(), "x", sizes.back(), " and ",
              rows_of(b), "x", columns_of(b), ")");
  if (!left) {
    const TensorBase turned_b = ops::adjoint(b, at);
    return ops::adjoint(linalg_lu_solve(factors, pivots, turned_b, true, !adjoint, at), at);
  }
  const Dims b_sizes = b.sizes();
  DimVector whole = broadcast_shapes(op, Dims(sizes.data(), sizes.size() - 2),
                                     Dims(b_sizes.data(), b_sizes.size() - 2));
  whole.push_back(b_sizes[b_sizes.size() - 2]);
  whole.push_back(b_sizes.back());
  const TensorBase right = expand(b, whole, at);
  const TensorBase order = pivots_to_rows(pivots, sizes.back(), at);
  if (!adjoint) {
    const TensorBase half =
        linalg_solve_triangular(factors, rows_in(order, right, at), false, true, true, at);
    return linalg_solve_triangular(factors, half, true, true, false, at);
  }
  const TensorBase turned = ops::adjoint(factors, at);
  const TensorBase half = linalg_solve_triangular(turned, right, false, true, false, at);
  const TensorBase found = linalg_solve_triangular(turned, half, true, true, true, at);
  return rows_in(back(order, at), found, at);
}

TensorBase lu_solve(const TensorBase& input, const TensorBase& factors, const TensorBase& pivots,
                    CallSite at) {
  const SiteScope scope(at);
  return linalg_lu_solve(factors, pivots, input, true, false, at);
}

}  // namespace eagre::ops
