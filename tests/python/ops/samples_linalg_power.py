"""Samples of ops/linalg_power.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import INTEGERS, Sample, make, strided
from samples_linalg_factor import FACTORED, SQUARE_WORDS, tolerance_of
from samples_linalg_solve import regular

import eagre


def exponential(a):
    """By its series, of the matrix halved eight times."""
    wide = a.astype(np.complex128) / 256
    total = term = np.broadcast_to(np.eye(a.shape[-1]), a.shape).astype(np.complex128)
    for k in range(1, 24):
        term = term @ wide / k
        total = total + term
    for _ in range(8):
        total = total @ total
    return (total if a.dtype.kind == "c" else total.real).astype(a.dtype)


def _exponentials(shapes, scales):
    for dtype in FACTORED:
        for shape in shapes:
            for scale in scales:
                a = (make(shape, dtype) * scale).astype(dtype)
                yield Sample((a,), exponential(a), tolerance=max(tolerance_of(dtype), 1e-9))
    a = strided((3, 3))
    yield Sample((a,), exponential(a), tolerance=1e-9)


def linalg_matrix_exp():
    # Each degree of the approximation, and squarings.
    scales = (1e-3, 0.05, 0.2, 0.6, 1.5)
    yield from _exponentials(((3, 3), (2, 3, 3), (1, 1), (0, 0), (0, 2, 2)), scales)
    yield from _exponentials(((12, 12),), (0.01, 0.3))
    a = np.asarray([[1.0, np.nan], [0, 1]], np.float32)
    yield Sample((a,), np.full((2, 2), np.nan, np.float32))


def matrix_exp():
    yield from _exponentials(((2, 2), (2, 3, 3)), (0.5,))


def matrix_power():
    for dtype in FACTORED:
        for shape in ((3, 3), (2, 2, 2), (0, 0), (2, 0, 0), (0, 2, 2)):
            a = regular(shape, dtype)
            for n in (0, 1, 2, 3, 6, -1, -3):
                expected = np.linalg.matrix_power(a, n).astype(dtype)
                yield Sample((a, n), expected, tolerance=30 * tolerance_of(dtype))
    for dtype in INTEGERS:
        a = make((2, 2), dtype)
        yield Sample((a, 3), np.linalg.matrix_power(a, 3))


def _chains():
    return [
        [(2, 3), (3, 4)], [(2, 3), (3, 4), (4, 2)], [(5, 2), (2, 6), (6, 1), (1, 3)],
        [(3, 0), (0, 2), (2, 2)], [(2, 5), (5, 2), (2, 5), (5, 2), (2, 3)],
    ]  # fmt: skip


def linalg_multi_dot():
    for dtype in FACTORED:
        for shapes in _chains():
            matrices = [make(shape, dtype, i) for i, shape in enumerate(shapes)]
            expected = np.linalg.multi_dot(matrices)
            yield Sample((matrices,), expected, tolerance=tolerance_of(dtype))
    a, b, c = make((3,)), make((3, 2)), make((2,))
    yield Sample(([a, b, c],), np.asarray(a @ b @ c))
    yield Sample(([a, b],), a @ b)
    yield Sample(([b, c],), b @ c)
    yield Sample(([a, a + 1],), np.asarray(a @ (a + 1)))


def chain_matmul():
    for shapes in _chains():
        matrices = [make(shape, seed=i) for i, shape in enumerate(shapes)]
        yield Sample(tuple(matrices), np.linalg.multi_dot(matrices))
    yield Sample((make((2, 3)),), make((2, 3)))


def linalg_vecdot():
    pairs = [((3,), (3,)), ((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1, 3), (4, 3)), ((0,), (0,))]
    for dtype in (*FACTORED, np.int64):
        for left, right in pairs:
            a, b = make(left, dtype, 1), make(right, dtype, 2)
            yield Sample((a, b), np.asarray((a.conj() * b).sum(-1)))
    a, b = make((3, 2), seed=1), make((3, 2), seed=2)
    yield Sample((a, b), (a * b).sum(0), {"dim": 0})


def linalg_vander():
    for dtype in (*FACTORED, np.int64):
        for shape in ((3,), (2, 3), (0, 4)):
            a = make(shape, dtype)
            for count in (None, 2, 5):
                powers = np.arange(count or shape[-1])
                expected = (a[..., None] ** powers).astype(dtype)
                yield Sample((a,), expected, {"N": count}, tolerance=tolerance_of(dtype))
    yield Sample((np.asarray(3.0),), np.asarray([[1.0, 3.0, 9.0]]), {"N": 3})
    small = make((3,), np.int8)
    expected = small.astype(np.int64)[:, None] ** np.arange(3)
    yield Sample((small,), expected)


def linalg_diagonal():
    a = make((2, 3, 4))
    yield Sample((a,), np.diagonal(a, 0, -2, -1).copy())
    yield Sample((a,), np.diagonal(a, 1, 0, 1).copy(), {"offset": 1, "dim1": 0, "dim2": 1})


def linalg_cross():
    for dtype in (*FACTORED, np.int64):
        a, b = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        yield Sample((a, b), np.cross(a, b))
    a, b = make((3, 3), seed=1), make((3, 3), seed=2)
    yield Sample((a, b), np.cross(a, b))
    yield Sample((a, b), np.cross(a, b, axis=0), {"dim": 0})


BAD = {
    ("linalg_matrix_exp", "not_square"): mistake(
        lambda: eagre.linalg.matrix_exp(tensor(2, 3)), ["linalg_matrix_exp()", *SQUARE_WORDS]
    ),
    ("linalg_matrix_exp", "vector"): mistake(
        lambda: eagre.linalg.matrix_exp(tensor(3)), ["must have at least 2 dimensions"]
    ),
    ("linalg_matrix_exp", "integers"): mistake(
        lambda: eagre.linalg.matrix_exp(integers(2, 2)), ["int64"], eagre.UnimplementedError
    ),
    ("matrix_exp", "not_square"): mistake(lambda: tensor(2, 3).matrix_exp(), SQUARE_WORDS),
    ("matrix_power", "not_square"): mistake(
        lambda: tensor(2, 3).matrix_power(2), ["matrix_power()", *SQUARE_WORDS]
    ),
    ("matrix_power", "vector"): mistake(
        lambda: eagre.matrix_power(tensor(3), 2), ["must have at least 2 dimensions"]
    ),
    ("linalg_matrix_power", "singular"): mistake(
        lambda: eagre.linalg.matrix_power(eagre.zeros(2, 2), -2),
        ["linalg_matrix_power()", "The diagonal element 1 is zero"],
        eagre.LinAlgError,
    ),
    ("linalg_multi_dot", "one_matrix"): mistake(
        lambda: eagre.linalg.multi_dot([tensor(2, 2)]), ["expected at least 2 tensors"]
    ),
    ("linalg_multi_dot", "not_matrices"): mistake(
        lambda: eagre.linalg.multi_dot([tensor(2, 2), tensor(2), tensor(2, 2)]),
        ["tensor 1 must be 2D but got 1D"],
    ),
    ("linalg_multi_dot", "sizes_differ"): mistake(
        lambda: eagre.linalg.multi_dot([tensor(2, 2), tensor(2, 3), tensor(2, 3)]),
        ["tensors 1 and 2 with shapes [2, 3] and [2, 3] cannot be multiplied"],
    ),
    ("chain_matmul", "vector"): mistake(
        lambda: eagre.chain_matmul(tensor(2, 2), tensor(2)),
        ["Tensor dimension is 1, expected 2 instead"],
    ),
    ("linalg_vecdot", "sizes_differ"): mistake(
        lambda: eagre.linalg.vecdot(tensor(3), tensor(2)), ["linalg_vecdot()", "[3]", "[2]"]
    ),
    ("linalg_vecdot", "integers_and_floats"): mistake(
        lambda: eagre.linalg.vecdot(tensor(3), integers(3)), ["same dtype"], eagre.DTypeError
    ),
    ("linalg_vander", "number"): mistake(
        lambda: eagre.linalg.vander(eagre.tensor(1.0)), ["N must be greater than 1"]
    ),
    ("linalg_vander", "no_powers"): mistake(
        lambda: eagre.linalg.vander(tensor(3), N=1), ["N must be greater than 1", "1"]
    ),
    ("linalg_diagonal", "vector"): mistake(
        lambda: eagre.linalg.diagonal(tensor(3)), ["diagonal()"], eagre.IndexOutOfRangeError
    ),
    ("linalg_cross", "ranks_differ"): mistake(
        lambda: eagre.linalg.cross(tensor(3), tensor(2, 3)), ["the same number of dimensions"]
    ),
    ("linalg_cross", "not_three"): mistake(
        lambda: eagre.linalg.cross(tensor(2), tensor(2)), ["must have length 3"]
    ),
}
