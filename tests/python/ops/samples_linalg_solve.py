"""Samples of ops/linalg_solve.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import Sample, make, strided
from samples_linalg_factor import FACTORED, SQUARE_WORDS, each_factored, tolerance_of

import eagre

SHAPES = ((3, 3), (2, 3, 3), (1, 1), (2, 2), (0, 0), (0, 2, 2), (2, 0, 0), (20, 20), (3, 17, 17))


def regular(shape, dtype=np.float64, seed=0):
    """Far from singular, and not with the largest elements on the diagonal."""
    n = shape[-1]
    return (make(shape, dtype, seed) + (2 + n / 4) * np.roll(np.eye(n), 1, 0)).astype(dtype)


def _regular(shapes=SHAPES):
    for dtype in FACTORED:
        for shape in shapes:
            yield regular(shape, dtype), tolerance_of(dtype)
    yield np.asarray(regular((3, 3)).T), 1e-9
    yield np.repeat(regular((3, 3)), 2, axis=1)[:, ::2], 1e-9


def _of_each(function, shapes=SHAPES):
    for a, tolerance in _regular(shapes):
        expected = function(a)
        if isinstance(expected, tuple):
            expected = tuple(np.asarray(e) for e in expected)
        yield Sample((a,), expected, tolerance=tolerance)


def _no_failures(a):
    return np.zeros(a.shape[:-2], np.int32)


def linalg_inv():
    yield from _of_each(lambda a: np.linalg.inv(a).astype(a.dtype))


def inverse():
    yield from _of_each(lambda a: np.linalg.inv(a).astype(a.dtype), ((3, 3), (2, 2, 2)))


def linalg_inv_ex():
    yield from _of_each(lambda a: (np.linalg.inv(a).astype(a.dtype), _no_failures(a)))


def _det(a):
    return np.asarray(np.linalg.det(a)).astype(a.dtype)


def linalg_det():
    for sample in _of_each(_det):
        sample.tolerance *= 1000 if sample.args[0].shape[-1] > 3 else 1
        yield sample
    # Not float64: there is no second derivative of singular matrices.
    yield Sample((np.asarray([[1.0, 2.0], [2.0, 4.0]], np.float32),), np.float32(0))
    yield Sample((np.zeros((3, 3), np.float32),), np.float32(0))


def det():
    yield from _of_each(_det, ((3, 3), (2, 2, 2)))


def _slogdet(a):
    sign, logarithm = np.linalg.slogdet(a)
    return sign.astype(a.dtype), logarithm.astype(a.real.dtype)


def linalg_slogdet():
    yield from _of_each(_slogdet)
    yield Sample((np.zeros((2, 2), np.float32),), (np.float32(0), np.float32(-np.inf)))


def slogdet():
    yield from _of_each(_slogdet, ((3, 3), (2, 2, 2)))


def logdet():
    for a, tolerance in _regular(((3, 3), (2, 2, 2), (0, 0))):
        sign, logarithm = np.linalg.slogdet(a)
        if a.dtype.kind == "c":
            expected = np.log(sign) + logarithm
        else:
            expected = np.where(sign > 0, logarithm, np.nan)
        expected = np.asarray(expected).astype(a.dtype)
        yield Sample((a,), expected, tolerance=tolerance)
    a = np.asarray([[2.0, 1.0], [1.0, 3.0]])
    yield Sample((a,), np.log(np.linalg.det(a)))


# --- equations ---

SYSTEMS = [
    ((3, 3), (3, 2)), ((2, 3, 3), (2, 3, 2)), ((2, 3, 3), (3, 2)), ((3, 3), (2, 3, 2)),
    ((2, 1, 2, 2), (3, 2, 1)), ((0, 0), (0, 2)), ((3, 3), (3, 0)), ((0, 2, 2), (2, 2)),
    ((20, 20), (20, 5)), ((40, 40), (40, 70)),
]  # fmt: skip


def _systems(left):
    for dtype in FACTORED:
        for first, second in SYSTEMS:
            b = make(second, dtype, 2)
            if not left and len(first) > len(second):
                continue  # whose shape is that of a batch of vectors
            if not left:
                b = np.ascontiguousarray(b.swapaxes(-1, -2))
            yield regular(first, dtype, 1), b, tolerance_of(dtype)
    b = strided((3, 2), seed=2)
    yield np.asarray(regular((3, 3)).T), b if left else b.T, 1e-9


def _solution(a, b, left=True):
    a = np.broadcast_to(a, (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *a.shape[-2:]))
    b = np.broadcast_to(b, (*a.shape[:-2], *b.shape[-2:]))
    if left:
        return np.linalg.solve(a, b).astype(a.dtype)
    turned = np.linalg.solve(a.swapaxes(-1, -2), b.swapaxes(-1, -2))
    return turned.swapaxes(-1, -2).astype(a.dtype)


def linalg_solve():
    for left in (True, False):
        for a, b, tolerance in _systems(left):
            yield Sample((a, b), _solution(a, b, left), {"left": left}, tolerance=tolerance)
    for dtype in FACTORED:
        a, b = regular((3, 3), dtype), make((3,), dtype, 1)
        expected = np.linalg.solve(a, b).astype(dtype)
        yield Sample((a, b), expected, tolerance=tolerance_of(dtype))
        a, b = regular((2, 3, 3), dtype), make((2, 3), dtype, 1)
        expected = np.linalg.solve(a, b[..., None])[..., 0].astype(dtype)
        yield Sample((a, b), expected, tolerance=tolerance_of(dtype))
        b = make((3,), dtype, 1)
        expected = np.linalg.solve(a, np.broadcast_to(b[:, None], (2, 3, 1)))[..., 0].astype(dtype)
        yield Sample((a, b), expected, tolerance=tolerance_of(dtype))


def linalg_solve_ex():
    for a, b, tolerance in _systems(True):
        yield Sample((a, b), (_solution(a, b), _no_failures(a)), tolerance=tolerance)


def triangle(shape, dtype=np.float64, seed=0):
    return (make(shape, dtype, seed) / 2 + 3 * np.eye(shape[-1])).astype(dtype)


def _read(a, upper, unitriangular):
    a = np.triu(a) if upper else np.tril(a)
    if unitriangular:
        a = a - np.eye(a.shape[-1], dtype=a.dtype) * a + np.eye(a.shape[-1], dtype=a.dtype)
    return a


def linalg_solve_triangular():
    for left in (True, False):
        for _, b, tolerance in _systems(left):
            n = b.shape[-2 if left else -1]
            if n == 40 and b.dtype.itemsize != 8:
                continue
            for upper in (True, False):
                for unitriangular in (True, False):
                    a = triangle((n, n), b.dtype.type, 1)
                    if unitriangular:
                        a /= 8  # else solutions grow with every row
                    expected = _solution(_read(a, upper, unitriangular), b, left)
                    kwargs = {"upper": upper, "left": left, "unitriangular": unitriangular}
                    yield Sample((a, b), expected, kwargs, tolerance=tolerance)
    a, b = triangle((2, 1, 3, 3)), make((4, 3, 2))
    yield Sample((a, b), _solution(np.triu(a), b), {"upper": True}, tolerance=1e-9)
    a, b = triangle((0, 3, 3)), make((3, 2))
    yield Sample((a, b), np.zeros((0, 3, 2)), {"upper": True})


def triangular_solve():
    for dtype in FACTORED:
        a, b = triangle((3, 3), dtype), make((3, 2), dtype, 1)
        tolerance = tolerance_of(dtype)
        yield Sample((b, a), (_solution(np.triu(a), b), a), tolerance=tolerance)
        yield Sample((b, a, False), (_solution(np.tril(a), b), a), tolerance=tolerance)
        expected = _solution(np.triu(a).T, b)
        yield Sample((b, a, True, True), (expected, a), tolerance=tolerance)
    a, b = triangle((3, 3)), make((2, 3, 2))
    repeated = np.broadcast_to(a, (2, 3, 3)).copy()
    yield Sample((b, a), (_solution(np.triu(a), b), repeated), tolerance=1e-9)


def _with_factors(a):
    lu, pivots, _ = each_factored(a)
    return lu, pivots


def linalg_lu_solve():
    for left in (True, False):
        for a, b, tolerance in _systems(left):
            lu, pivots = _with_factors(a)
            yield Sample((lu, pivots, b), _solution(a, b, left), {"left": left},
                         tolerance=10 * tolerance)  # fmt: skip
            turned = a.conj().swapaxes(-1, -2)
            yield Sample((lu, pivots, b), _solution(turned, b, left),
                         {"left": left, "adjoint": True}, tolerance=10 * tolerance)  # fmt: skip


def lu_solve():
    for a, b, tolerance in _systems(True):
        yield Sample((b, *_with_factors(a)), _solution(a, b), tolerance=10 * tolerance)


def linalg_tensorinv():
    a = regular((6, 6))
    yield Sample((a.reshape(2, 3, 6),), np.linalg.inv(a).reshape(6, 2, 3), tolerance=1e-9)
    yield Sample((a.reshape(6, 3, 2), 1), np.linalg.inv(a).reshape(3, 2, 6), tolerance=1e-9)


def linalg_tensorsolve():
    a, b = regular((6, 6)), make((2, 3), seed=1)
    expected = np.linalg.solve(a, b.reshape(6))
    yield Sample((a.reshape(2, 3, 6), b), expected, tolerance=1e-9)
    yield Sample((a.reshape(2, 3, 3, 2), b), expected.reshape(3, 2), tolerance=1e-9)
    moved = np.ascontiguousarray(np.moveaxis(a.reshape(2, 3, 3, 2), 3, 0))
    yield Sample((moved, b), expected.reshape(3, 2), {"dims": (0,)}, tolerance=1e-9)


# --- mistakes ---


def _singular():
    return eagre.tensor([[1.0, 2.0], [2.0, 4.0]])


def _one_singular():
    return eagre.stack([eagre.eye(2), _singular()])


ZERO_PIVOT = (
    "The diagonal element 2 is zero, the inversion could not be completed because the input "
    "matrix is singular."
)
NO_SOLUTION = "The solver failed because the input matrix is singular."


def _not_square(op, call):
    return mistake(lambda: call(tensor(2, 3)), [f"{op}", *SQUARE_WORDS])


BAD = {
    ("linalg_inv_ex", "singular"): mistake(
        lambda: eagre.linalg.inv_ex(_singular(), check_errors=True),
        [ZERO_PIVOT],
        eagre.LinAlgError,
    ),
    ("linalg_inv", "singular"): mistake(
        lambda: eagre.linalg.inv(_singular()), [ZERO_PIVOT], eagre.LinAlgError
    ),
    ("linalg_inv", "singular_in_batch"): mistake(
        lambda: eagre.linalg.inv(_one_singular()),
        ["(Batch element 1): " + ZERO_PIVOT],
        eagre.linalg.LinAlgError,
    ),
    ("linalg_inv", "not_square"): _not_square("linalg_inv", lambda a: eagre.linalg.inv(a)),
    ("linalg_inv", "vector"): mistake(
        lambda: eagre.linalg.inv(tensor(3)), ["must have at least 2 dimensions", "[3]"]
    ),
    ("linalg_inv", "integers"): mistake(
        lambda: eagre.linalg.inv(integers(2, 2)), ["int64"], eagre.UnimplementedError
    ),
    ("linalg_inv", "halves"): mistake(
        lambda: eagre.linalg.inv(tensor(2, 2, dtype=np.float16)),
        ["float16"],
        eagre.UnimplementedError,
    ),
    ("inverse", "singular"): mistake(
        lambda: _singular().inverse(), [ZERO_PIVOT], eagre.LinAlgError
    ),
    ("linalg_solve_triangular", "not_square"): mistake(
        lambda: eagre.linalg.solve_triangular(tensor(2, 3), tensor(2, 2), upper=True), SQUARE_WORDS
    ),
    ("linalg_solve_triangular", "rows_differ"): mistake(
        lambda: eagre.linalg.solve_triangular(tensor(2, 2), tensor(3, 1), upper=True),
        ["Incompatible shapes of A and B for the equation AX = B (2x2 and 3x1)"],
    ),
    ("linalg_solve_triangular", "vector"): mistake(
        lambda: eagre.linalg.solve_triangular(tensor(2, 2), tensor(2), upper=True),
        ["'B'", "must have at least 2 dimensions"],
    ),
    ("linalg_solve_triangular", "batches_differ"): mistake(
        lambda: eagre.linalg.solve_triangular(tensor(2, 2, 2), tensor(3, 2, 1), upper=True),
        ["[2]", "[3]"],
    ),
    ("linalg_solve_triangular", "mixed_dtypes"): mistake(
        lambda: eagre.linalg.solve_triangular(
            tensor(2, 2), tensor(2, 2, dtype=np.float64), upper=True
        ),
        ["float32", "float64"],
        eagre.DTypeError,
    ),
    ("triangular_solve", "vector"): mistake(
        lambda: eagre.triangular_solve(tensor(2), tensor(2, 2)),
        ["'input'", "expected a tensor with at least 2 dimensions"],
    ),
    ("linalg_solve", "singular"): mistake(
        lambda: eagre.linalg.solve(_singular(), eagre.ones(2)),
        [NO_SOLUTION],
        eagre.LinAlgError,
    ),
    ("linalg_solve", "singular_in_batch"): mistake(
        lambda: eagre.linalg.solve(_one_singular(), eagre.ones(2, 1)),
        ["(Batch element 1): " + NO_SOLUTION],
        eagre.LinAlgError,
    ),
    ("linalg_solve", "not_square"): mistake(
        lambda: eagre.linalg.solve(tensor(2, 3), tensor(2, 2)), SQUARE_WORDS
    ),
    ("linalg_solve", "rows_differ"): mistake(
        lambda: eagre.linalg.solve(tensor(2, 2), tensor(2, 3), left=False),
        ["Incompatible shapes of A and B for the equation XA = B (2x2 and 2x3)"],
    ),
    ("linalg_solve", "vector"): mistake(
        lambda: eagre.linalg.solve(tensor(2, 2), tensor(2), left=False),
        ["Vector broadcasting of the left hand side is not supported for left=False"],
    ),
    ("linalg_solve", "mixed_dtypes"): mistake(
        lambda: eagre.linalg.solve(tensor(2, 2), tensor(2, 2, dtype=np.float64)),
        ["float32", "float64"],
        eagre.DTypeError,
    ),
    ("linalg_solve_ex", "singular"): mistake(
        lambda: eagre.linalg.solve_ex(_singular(), eagre.ones(2), check_errors=True),
        [NO_SOLUTION],
        eagre.LinAlgError,
    ),
    ("linalg_lu_solve", "rows_differ"): mistake(
        lambda: eagre.linalg.lu_solve(*eagre.linalg.lu_factor(eagre.eye(2)), tensor(3, 1)),
        ["Incompatible shapes of A and B", "(2x2 and 3x1)"],
    ),
    ("linalg_lu_solve", "pivots_of_another_dtype"): mistake(
        lambda: eagre.linalg.lu_solve(eagre.eye(2), integers(2), tensor(2, 1)),
        ["'pivots'", "int32", "int64"],
        eagre.DTypeError,
    ),
    ("linalg_lu_solve", "pivots_of_another_shape"): mistake(
        lambda: eagre.linalg.lu_solve(eagre.eye(2), eagre.ones(3, dtype=eagre.int32), tensor(2, 1)),
        ["Number of pivots per batch should be same as the dimension of the matrix", "[3]"],
    ),
    ("lu_solve", "rows_differ"): mistake(
        lambda: eagre.lu_solve(tensor(3, 1), *eagre.linalg.lu_factor(eagre.eye(2))),
        ["Incompatible shapes of A and B"],
    ),
    ("linalg_det", "not_square"): _not_square("linalg_det", lambda a: eagre.linalg.det(a)),
    ("linalg_det", "vector"): mistake(
        lambda: eagre.linalg.det(tensor(3)), ["must have at least 2 dimensions"]
    ),
    ("linalg_det", "integers"): mistake(
        lambda: eagre.linalg.det(integers(2, 2)), ["int64"], eagre.UnimplementedError
    ),
    ("det", "not_square"): _not_square("det", lambda a: a.det()),
    ("linalg_slogdet", "not_square"): _not_square(
        "linalg_slogdet", lambda a: eagre.linalg.slogdet(a)
    ),
    ("slogdet", "not_square"): _not_square("slogdet", lambda a: a.slogdet()),
    ("logdet", "not_square"): _not_square("logdet", lambda a: a.logdet()),
    ("linalg_tensorinv", "not_square"): mistake(
        lambda: eagre.linalg.tensorinv(tensor(2, 3, 4)),
        ["prod(input.shape[ind:]) == prod(input.shape[:ind])", "4 != 6"],
    ),
    ("linalg_tensorinv", "no_dimensions"): mistake(
        lambda: eagre.linalg.tensorinv(tensor(2, 2), 0),
        ["Expected a strictly positive integer for 'ind'"],
    ),
    ("linalg_tensorsolve", "not_square"): mistake(
        lambda: eagre.linalg.tensorsolve(tensor(2, 3, 4), tensor(2, 3)), ["4 != 6"]
    ),
}
