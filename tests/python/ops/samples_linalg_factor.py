"""Samples of ops/linalg_factor.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import Sample, make, strided

import eagre

FACTORED = (np.float64, np.float32, np.complex64, np.complex128)
# Wider than 60 elements: numeric derivatives would leave the Hermitian matrices, of which one
# triangle is read (test_linalg_factor.py has those).
HERMITIAN = ((8, 8), (2, 8, 8), (40, 40), (0, 0), (0, 3, 3), (1, 1))
NOT_POSITIVE = "(the leading minor of order 2 is not positive-definite)"
SQUARE_WORDS = ["must be batches of square matrices", "2 by 3"]


def tolerance_of(dtype):
    return 2e-4 if dtype in (np.float32, np.complex64) else 1e-9


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


def positive(shape, dtype=np.float64, seed=0):
    a = make(shape, dtype, seed)
    return (a @ adjoint(a) + 2 * np.eye(shape[-1])).astype(dtype)


def _cholesky(positional, with_info=False):
    for dtype in FACTORED:
        for shape in HERMITIAN:
            a = positive(shape, dtype)
            lower = np.linalg.cholesky(a)
            for upper in (False, True):
                # The other triangle is not read.
                given = np.triu(a) if upper else np.tril(a)
                expected = adjoint(lower) if upper else lower
                if with_info:
                    expected = (expected, np.zeros(shape[:-2], np.int32))
                args, kwargs = ((given, upper), {}) if positional else ((given,), {"upper": upper})
                yield Sample(args, expected, kwargs, tolerance=tolerance_of(dtype))
    a = positive((8, 8)).copy(order="F")
    expected = np.linalg.cholesky(a)
    yield Sample((a,), (expected, np.int32(0)) if with_info else expected, tolerance=1e-9)


def linalg_cholesky():
    yield from _cholesky(False)


def cholesky():
    yield from _cholesky(True)


def linalg_cholesky_ex():
    yield from _cholesky(False, with_info=True)


def factor_of(shape, dtype=np.float64, seed=0):
    return (np.tril(make(shape, dtype, seed)) + 3 * np.eye(shape[-1])).astype(dtype)


def _product(factor, upper):
    factor = np.triu(factor) if upper else np.tril(factor)
    return adjoint(factor) @ factor if upper else factor @ adjoint(factor)


def cholesky_solve():
    pairs = [((3, 2), (3, 3)), ((2, 3, 2), (3, 3)), ((3, 1), (2, 3, 3)), ((0, 2), (0, 0))]
    for dtype in FACTORED:
        for left, right in pairs:
            b, factor = make(left, dtype, 1), factor_of(right, dtype, 2)
            expected = np.linalg.solve(_product(factor, False), b).astype(dtype)
            yield Sample((b, factor), expected, tolerance=tolerance_of(dtype))
            upper = adjoint(factor).copy()
            yield Sample((b, upper, True), expected, tolerance=tolerance_of(dtype))


def cholesky_inverse():
    for dtype in FACTORED:
        for shape in ((3, 3), (2, 3, 3), (0, 0)):
            factor = factor_of(shape, dtype)
            expected = np.linalg.inv(_product(factor, False)).astype(dtype)
            yield Sample((factor,), expected, tolerance=tolerance_of(dtype))
            upper = adjoint(factor).copy()
            yield Sample((upper, True), expected, tolerance=tolerance_of(dtype))


def factored(a, pivot=True):
    """(lu, pivots, info) of a matrix, column by column."""
    lu = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    rows, columns = lu.shape
    pivots, info = [], 0
    for j in range(min(rows, columns)):
        sizes = np.abs(lu[j:, j].real) + np.abs(lu[j:, j].imag)
        row = j + int(np.argmax(sizes)) if pivot else j
        pivots.append(row + 1)
        lu[[j, row]] = lu[[row, j]]
        if lu[j, j] == 0:
            info = info or j + 1
            continue
        lu[j + 1 :, j] /= lu[j, j]
        lu[j + 1 :, j + 1 :] -= np.outer(lu[j + 1 :, j], lu[j, j + 1 :])
    return lu.astype(a.dtype), np.asarray(pivots, np.int32), np.int32(info)


def each_factored(a, pivot=True):
    batch = a.shape[:-2]
    count = min(a.shape[-2:])
    lu = np.empty_like(a)
    pivots, info = np.empty((*batch, count), np.int32), np.empty(batch, np.int32)
    for i in np.ndindex(batch):
        lu[i], pivots[i], info[i] = factored(a[i], pivot)
    return lu, pivots, info


def parts_of(lu, pivots):
    """(p, l, u) of one matrix."""
    rows, columns = lu.shape
    count = min(rows, columns)
    order = np.arange(rows)
    for i, pivot in enumerate(pivots):
        order[[i, pivot - 1]] = order[[pivot - 1, i]]
    p = np.eye(rows, dtype=lu.dtype)[:, order]
    return p, np.tril(lu[:, :count], -1) + np.eye(rows, count, dtype=lu.dtype), np.triu(lu[:count])


def each_parts(lu, pivots):
    batch, (rows, columns) = lu.shape[:-2], lu.shape[-2:]
    count = min(rows, columns)
    p = np.empty((*batch, rows, rows), lu.dtype)
    lower = np.empty((*batch, rows, count), lu.dtype)
    upper = np.empty((*batch, count, columns), lu.dtype)
    for i in np.ndindex(batch):
        p[i], lower[i], upper[i] = parts_of(lu[i], pivots[i])
    return p, lower, upper


RECTANGLES = ((3, 3), (2, 3, 3), (4, 3), (3, 5), (2, 4, 2), (0, 0), (0, 3), (0, 2, 2), (1, 1))
LARGE = ((30, 30), (40, 17), (17, 40))


def _matrices():
    for dtype in FACTORED:
        for shape in (*RECTANGLES, *LARGE):
            yield make(shape, dtype, 3), tolerance_of(dtype) * (20 if shape in LARGE else 1)
    yield strided((4, 3)), 1e-9


def linalg_lu_factor_ex():
    for a, tolerance in _matrices():
        yield Sample((a,), each_factored(a), tolerance=tolerance)
    a = make((3, 3)) + 5 * np.eye(3)
    yield Sample((a,), each_factored(a, False), {"pivot": False}, tolerance=1e-9)
    # No numeric derivatives: these are singular.
    a = np.asarray([[1, 2], [2, 4]], np.float32)
    yield Sample((a,), each_factored(a))


def linalg_lu_factor():
    for a, tolerance in _matrices():
        yield Sample((a,), each_factored(a)[:2], tolerance=tolerance)


def linalg_lu():
    for a, tolerance in _matrices():
        yield Sample((a,), each_parts(*each_factored(a)[:2]), tolerance=tolerance)
    a = make((3, 3)) + 5 * np.eye(3)
    _, lower, upper = each_parts(*each_factored(a, False)[:2])
    yield Sample((a,), (np.zeros(0), lower, upper), {"pivot": False}, tolerance=1e-9)


def lu_unpack():
    for a, _ in _matrices():
        lu, pivots, _ = each_factored(a)
        yield Sample((lu, pivots), each_parts(lu, pivots))
    lu, pivots, _ = each_factored(make((3, 3)))
    p, lower, upper = each_parts(lu, pivots)
    none = np.zeros(0)
    yield Sample((lu, pivots, False), (p, none, none))
    yield Sample((lu, pivots), (none, lower, upper), {"unpack_pivots": False})


def _orthonormal(a, q, r):
    """Columns of a factor may have any sign: as LAPACK's, the diagonal of r is real and has the
    sign that the first element of what is reflected does not have; NumPy calls LAPACK."""
    return q.astype(a.dtype), r.astype(a.dtype)


def _qr(modes, given):
    for a, tolerance in _matrices():
        for mode in modes:
            if 0 in a.shape and a.ndim > 2:
                continue  # which NumPy does not know
            if mode == "r":
                expected = (np.zeros(0, a.dtype), np.linalg.qr(a, "r").astype(a.dtype))
            else:
                expected = _orthonormal(a, *np.linalg.qr(a, mode))
            yield Sample((a, *given(mode)), expected, tolerance=tolerance)


def linalg_qr():
    yield from _differentiable_first(_qr(("reduced", "complete", "r"), lambda mode: (mode,)))
    yield Sample((make((2, 0, 3)),), (np.zeros((2, 0, 0)), np.zeros((2, 0, 3))))


def _differentiable_first(samples):
    """Without those that have no derivative, if they are small enough for one to be asked for."""
    for sample in samples:
        a, mode = sample.args[0], sample.args[1]
        tall = a.ndim >= 2 and a.shape[-2] > a.shape[-1]
        small = a.dtype in (np.float64, np.complex128) and a.size <= 60
        if not small or mode == "reduced" or (mode == "complete" and not tall):
            yield sample


def qr():
    for sample in _qr(("reduced", "complete"), lambda mode: (mode == "reduced",)):
        a, some = sample.args
        small = a.dtype in (np.float64, np.complex128) and a.size <= 60
        if some or a.shape[-2] <= a.shape[-1] or not small:
            yield sample


def _singular():
    return eagre.tensor([[4.0, 2.0], [2.0, -1.0]])


BAD = {
    ("linalg_cholesky_ex", "not_positive"): mistake(
        lambda: eagre.linalg.cholesky_ex(_singular(), check_errors=True),
        ["The factorization could not be completed", NOT_POSITIVE],
        eagre.LinAlgError,
    ),
    ("linalg_cholesky", "not_positive"): mistake(
        lambda: eagre.linalg.cholesky(eagre.stack([eagre.eye(2), _singular()])),
        ["(Batch element 1): The factorization", NOT_POSITIVE],
        eagre.LinAlgError,
    ),
    ("linalg_cholesky", "not_square"): mistake(
        lambda: eagre.linalg.cholesky(tensor(2, 3)), ["linalg_cholesky", *SQUARE_WORDS]
    ),
    ("linalg_cholesky", "vector"): mistake(
        lambda: eagre.linalg.cholesky(tensor(3)), ["must have at least 2 dimensions"]
    ),
    ("linalg_cholesky", "integers"): mistake(
        lambda: eagre.linalg.cholesky(integers(2, 2)), ["int64"], eagre.UnimplementedError
    ),
    ("cholesky", "not_positive"): mistake(
        lambda: eagre.cholesky(_singular()), [NOT_POSITIVE], eagre.LinAlgError
    ),
    ("cholesky_solve", "vector"): mistake(
        lambda: eagre.cholesky_solve(tensor(2), tensor(2, 2)),
        ["cholesky_solve()", "b should have at least 2 dimensions"],
    ),
    ("cholesky_solve", "not_square"): mistake(
        lambda: eagre.cholesky_solve(tensor(2, 2), tensor(2, 3)), ["'input2'", *SQUARE_WORDS]
    ),
    ("cholesky_solve", "rows_differ"): mistake(
        lambda: eagre.cholesky_solve(tensor(3, 2), tensor(2, 2)),
        ["Incompatible", "(2x2 and 3x2)"],
    ),
    ("cholesky_inverse", "vector"): mistake(
        lambda: eagre.cholesky_inverse(tensor(2)), ["cholesky_inverse()", "at least 2 dimensions"]
    ),
    ("cholesky_inverse", "not_square"): mistake(
        lambda: eagre.cholesky_inverse(tensor(2, 3)), SQUARE_WORDS
    ),
    ("linalg_lu_factor_ex", "vector"): mistake(
        lambda: eagre.linalg.lu_factor_ex(tensor(3)), ["must have at least 2 dimensions"]
    ),
    ("linalg_lu_factor_ex", "zero_pivot"): mistake(
        lambda: eagre.linalg.lu_factor_ex(eagre.zeros(2, 2), check_errors=True),
        ["U[1,1] is zero"],
        eagre.LinAlgError,
    ),
    ("linalg_lu_factor", "zero_pivot"): mistake(
        lambda: eagre.linalg.lu_factor(eagre.tensor([[1.0, 2.0], [2.0, 4.0]])),
        ["U[2,2] is zero and using it on lu_solve would result in a division"],
        eagre.LinAlgError,
    ),
    ("linalg_lu", "vector"): mistake(
        lambda: eagre.linalg.lu(tensor(3)), ["must have at least 2 dimensions"]
    ),
    ("lu_unpack", "pivots_of_another_dtype"): mistake(
        lambda: eagre.lu_unpack(tensor(2, 2), integers(2)),
        ["lu_unpack()", "LU_pivots", "torch.int32", "int64"],
        eagre.DTypeError,
    ),
    ("lu_unpack", "pivot_out_of_range"): mistake(
        lambda: eagre.lu_unpack(tensor(2, 2), eagre.tensor([1, 3], dtype=eagre.int32)),
        ["must be between 1 and 2", "3"],
    ),
    ("linalg_qr", "vector"): mistake(
        lambda: eagre.linalg.qr(tensor(3)), ["linalg_qr()", "must have at least 2 dimensions"]
    ),
    ("linalg_qr", "unknown_mode"): mistake(
        lambda: eagre.linalg.qr(tensor(3, 3), "raw"),
        ["qr received unrecognized mode 'raw' but expected one of 'reduced' (default)"],
    ),
    ("linalg_qr", "integers"): mistake(
        lambda: eagre.linalg.qr(integers(2, 2)), ["int64"], eagre.UnimplementedError
    ),
    ("qr", "vector"): mistake(lambda: eagre.qr(tensor(3)), ["must have at least 2 dimensions"]),
}
