// LU factorizations: their parts, and gradients.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/adjoint.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/eye.h>
#include <eagre/ops/linalg_lu.h>
#include <eagre/ops/linalg_lu_factor.h>
#include <eagre/ops/linalg_lu_factor_ex.h>
#include <eagre/ops/linalg_solve_triangular.h>
#include <eagre/ops/lu_grad.h>
#include <eagre/ops/lu_tangent.h>
#include <eagre/ops/lu_unpack.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/pivots_to_rows.h>
#include <eagre/ops/rows_in.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/tril.h>
#include <eagre/ops/triu.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

// Both triangles of the square part of factors, and what lies below or beside it.
struct Factors {
  TensorBase square;
  int64_t rows, columns, count;
  CallSite at;

  Factors(const TensorBase& factors, CallSite at)
      : rows(rows_of(factors)),
        columns(columns_of(factors)),
        count(std::min(rows, columns)),
        at(at) {
    square = first(factors);
  }
  TensorBase first(const TensorBase& x) const { return narrow(top(x), -1, 0, count, at); }
  TensorBase top(const TensorBase& x) const { return narrow(x, -2, 0, count, at); }
  TensorBase below(const TensorBase& x) const { return narrow(x, -2, count, rows - count, at); }
  TensorBase beside(const TensorBase& x) const { return narrow(x, -1, count, columns - count, at); }

  // l @ x and l^-1 @ x; x @ u and x @ u^-1; and the same with adjoints.
  TensorBase lower_times(const TensorBase& x) const {
    return add(matmul(tril(square, -1, at), x, at), x, 1, at);
  }
  TensorBase lower_adjoint_times(const TensorBase& x) const {
    return add(matmul(adjoint(tril(square, -1, at), at), x, at), x, 1, at);
  }
  TensorBase without_lower(const TensorBase& x) const {
    return linalg_solve_triangular(square, x, false, true, true, at);
  }
  TensorBase without_lower_adjoint(const TensorBase& x) const {
    return linalg_solve_triangular(adjoint(square, at), x, true, true, true, at);
  }
  TensorBase times_upper(const TensorBase& x) const { return matmul(x, triu(square, 0, at), at); }
  TensorBase without_upper(const TensorBase& x) const {
    return linalg_solve_triangular(square, x, true, false, false, at);
  }
  TensorBase without_upper_adjoint(const TensorBase& x) const {
    return linalg_solve_triangular(adjoint(square, at), x, false, false, false, at);
  }
};

}  // namespace

std::array<TensorBase, 2> linalg_lu_factor(const TensorBase& input, bool pivot, CallSite at) {
  const SiteScope scope(at);
  std::array<TensorBase, 3> found = linalg_lu_factor_ex(input, pivot, true, at);
  return {std::move(found[0]), std::move(found[1])};
}

std::array<TensorBase, 3> linalg_lu(const TensorBase& input, bool pivot, CallSite at) {
  const SiteScope scope(at);
  const std::array<TensorBase, 3> found = linalg_lu_factor_ex(input, pivot, false, at);
  return lu_unpack(found[0], found[1], true, pivot, at);
}

std::array<TensorBase, 3> lu_unpack(const TensorBase& factors, const TensorBase& pivots,
                                    bool unpack_data, bool unpack_pivots, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "lu_unpack";
  EAGRE_CHECK(factors.get(op, "LU_data").key.rank >= 2, kInvalidArgument, op,
              "(): argument 'LU_data': expected a tensor of at least 2 dimensions, but got shape ",
              factors.sizes());
  EAGRE_CHECK(!unpack_pivots || pivots.get(op, "LU_pivots").key.dtype == DType::kInt32, kType, op,
              "(): LU_pivots is expected to be a contiguous tensor of torch.int32 dtype, but "
              "argument 'LU_pivots' is of ",
              pivots.dtype());
  const TensorOptions options = TensorOptions(factors.dtype()).device(factors.device());
  const TensorBase none = zeros(Dims({0}), options, at);
  std::array<TensorBase, 3> result = {none, none, none};
  const int64_t rows = rows_of(factors), count = std::min(rows, columns_of(factors));
  if (unpack_data) {
    const TensorBase left = narrow(factors, -1, 0, count, at);
    result[1] = add(tril(left, -1, at), eye(rows, count, options, at), 1, at);
    result[2] = triu(narrow(factors, -2, 0, count, at), 0, at);
  }
  if (unpack_pivots) {
    const TensorBase order = pivots_to_rows(pivots, rows, at);
    const TensorOptions numbers = TensorOptions(kInt64).device(factors.device());
    const TensorBase own = unsqueeze(arange(rows, numbers, at), -1, at);
    result[0] = cast(eq(unsqueeze(order, -2, at), own, at), factors.dtype(), at);
  }
  return result;
}

// With N = L^-1 P^T dA U^-1 of the square part: dL = L tril(N, -1), dU = triu(N) U. What is beside
// and below follows from P^T dA = dL U + L dU.
TensorBase lu_tangent(const TensorBase& t, const TensorBase& factors, const TensorBase& pivots,
                      CallSite at) {
  const Factors f(factors, at);
  const TensorBase moved = rows_in(pivots_to_rows(pivots, f.rows, at), t, at);
  const TensorBase above = f.without_lower(f.top(moved));
  const TensorBase inner = f.without_upper(narrow(above, -1, 0, f.count, at));
  const TensorBase lower = tril(inner, -1, at), upper = triu(inner, 0, at);
  TensorBase square = add(f.lower_times(lower), f.times_upper(upper), 1, at);
  if (f.rows == f.columns) return square;
  if (f.rows < f.columns) {
    const TensorBase more = matmul(lower, f.beside(factors), at);
    return cat(TensorVector{square, sub(f.beside(above), more, 1, at)}, -1, at);
  }
  const TensorBase more = matmul(f.below(factors), upper, at);
  return cat(TensorVector{square, sub(f.without_upper(f.below(moved)), more, 1, at)}, -2, at);
}

// The transpose of that.
TensorBase lu_grad(const TensorBase& g, const TensorBase& factors, const TensorBase& pivots,
                   CallSite at) {
  const Factors f(factors, at);
  const TensorBase own = f.first(g);
  const TensorBase upper = matmul(triu(own, 0, at), adjoint(triu(f.square, 0, at), at), at);
  const TensorBase lower = f.lower_adjoint_times(tril(own, -1, at));
  TensorBase found;
  if (f.rows <= f.columns) {
    const TensorBase rest = f.beside(g);
    const TensorBase less = matmul(rest, adjoint(f.beside(factors), at), at);
    const TensorBase inner = add(tril(sub(lower, less, 1, at), -1, at), triu(upper, 0, at), 1, at);
    const TensorBase first = f.without_upper_adjoint(inner);
    found = f.without_lower_adjoint(cat(TensorVector{first, rest}, -1, at));
  } else {
    const TensorBase rest = f.below(g);
    const TensorBase less = matmul(adjoint(f.below(factors), at), rest, at);
    const TensorBase inner = add(tril(lower, -1, at), triu(sub(upper, less, 1, at), 0, at), 1, at);
    const TensorBase first = f.without_lower_adjoint(f.without_upper_adjoint(inner));
    found = cat(TensorVector{first, f.without_upper_adjoint(rest)}, -2, at);
  }
  return rows_in(back(pivots_to_rows(pivots, f.rows, at), at), found, at);
}

}  // namespace eagre::ops
