"""Samples of ops/linalg_matrix.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import Sample, make, strided
from samples_linalg_factor import FACTORED, SQUARE_WORDS, tolerance_of
from samples_linalg_solve import regular

import eagre

INF = float("inf")
NO_SINGULAR_VALUES = "singular values, which are not there yet"


def _norm(a, order=None, axis=None, keepdims=False):
    expected = np.asarray(np.linalg.norm(a, order, axis, keepdims))
    return expected.astype(a.real.dtype)


def linalg_matrix_norm():
    for dtype in FACTORED:
        for order in (1, -1, INF, -INF):
            for shape in ((2, 3), (2, 3, 4)):
                a = make(shape, dtype)
                yield Sample((a, order), _norm(a, order, (-2, -1)))
    a = make((2, 3, 4))
    for dims in ((0, 1), (2, 0), (-1, 1)):
        for order in (1, -INF):
            yield Sample((a, order, dims), _norm(a, order, dims))
            yield Sample((a, order, dims, True), _norm(a, order, dims, True))
    a = strided((3, 2))
    yield Sample((a, 1), _norm(a, 1))
    a = make((2, 3), np.float32)
    expected = _norm(a.astype(np.float64), 1)
    yield Sample((a, 1), expected, {"dtype": eagre.float64})


def linalg_matrix_norm_named():
    for dtype in FACTORED:
        a = make((2, 3, 4), dtype)
        yield Sample((a,), _norm(a, "fro", (-2, -1)))
        yield Sample((a, "fro", (0, 2), True), _norm(a, "fro", (0, 2), True))


def linalg_norm():
    for dtype in FACTORED:
        a = make((3,), dtype)
        yield Sample((a,), _norm(a))
        for order in (0, 1, 2, 3.5, -1, INF, -INF):
            tolerance = tolerance_of(dtype)
            yield Sample((a, order), _norm(a, order), tolerance=tolerance)
        a = make((2, 3), dtype)
        yield Sample((a,), _norm(a))
        for order in (1, -1, INF, -INF):
            yield Sample((a, order), _norm(a, order))
            yield Sample((a, order, 1), _norm(a, order, 1))
    a = make((2, 3, 4))
    yield Sample((a,), _norm(a.reshape(-1)))
    yield Sample((a, None, (0, 2)), np.sqrt((a**2).sum((0, 2))))
    yield Sample((a, 1, (0, 2), True), _norm(a, 1, (0, 2), True))
    a = make((2, 3), np.float32)
    yield Sample((a,), _norm(a.astype(np.float64)), {"dtype": eagre.float64})


def linalg_norm_named():
    a = make((2, 3))
    yield Sample((a, "fro"), _norm(a, "fro"))
    a = make((2, 3, 4))
    yield Sample((a, "fro", (0, 2)), _norm(a, "fro", (0, 2)))


def linalg_cond():
    for dtype in FACTORED:
        a = regular((3, 3), dtype)
        for order in (1, -1, INF, -INF):
            expected = _norm(a, order) * _norm(np.linalg.inv(a), order)
            yield Sample((a, order), expected.astype(a.real.dtype), tolerance=tolerance_of(dtype))
    singular = np.asarray([[1, 2], [2, 4]], np.float32)
    yield Sample((singular, 1), np.float32(INF))


def linalg_cond_named():
    a = regular((2, 3, 3))
    expected = _norm(a, "fro", (1, 2)) * _norm(np.linalg.inv(a), "fro", (1, 2))
    yield Sample((a, "fro"), expected, tolerance=1e-9)


BAD = {
    ("linalg_matrix_norm", "one_dimension"): mistake(
        lambda: eagre.linalg.matrix_norm(tensor(2, 2), 1, (0,)), ["dim must be a 2-tuple"]
    ),
    ("linalg_matrix_norm", "same_dimensions"): mistake(
        lambda: eagre.linalg.matrix_norm(tensor(2, 2), 1, (0, -2)), ["dims must be different"]
    ),
    ("linalg_matrix_norm", "singular_values"): mistake(
        lambda: eagre.linalg.matrix_norm(tensor(2, 2), 2),
        ["linalg_matrix_norm()", NO_SINGULAR_VALUES],
        eagre.UnimplementedError,
    ),
    ("linalg_matrix_norm", "unknown_order"): mistake(
        lambda: eagre.linalg.matrix_norm(tensor(2, 2), 3), ["Order 3.0 not supported"]
    ),
    ("linalg_matrix_norm_named", "nuclear"): mistake(
        lambda: eagre.linalg.matrix_norm(tensor(2, 2), "nuc"),
        [NO_SINGULAR_VALUES],
        eagre.UnimplementedError,
    ),
    ("linalg_matrix_norm_named", "unknown_name"): mistake(
        lambda: eagre.linalg.matrix_norm(tensor(2, 2), "max"), ["Order max not supported"]
    ),
    ("linalg_norm", "three_dimensions"): mistake(
        lambda: eagre.linalg.norm(tensor(2, 2, 2), 1), ["the input must be 1D or 2D"]
    ),
    ("linalg_norm", "integers"): mistake(
        lambda: eagre.linalg.norm(integers(2)),
        ["floating point or complex"],
        eagre.UnimplementedError,
    ),
    ("linalg_norm", "singular_values"): mistake(
        lambda: eagre.linalg.norm(tensor(2, 2), -2), [NO_SINGULAR_VALUES], eagre.UnimplementedError
    ),
    ("linalg_norm_named", "not_a_matrix"): mistake(
        lambda: eagre.linalg.norm(tensor(2), "fro"), ["must have exactly 2 dimensions"]
    ),
    ("linalg_norm_named", "nuclear"): mistake(
        lambda: eagre.linalg.norm(tensor(2, 2), "nuc"),
        [NO_SINGULAR_VALUES],
        eagre.UnimplementedError,
    ),
    ("linalg_cond", "not_square"): mistake(
        lambda: eagre.linalg.cond(tensor(2, 3), 1), [SQUARE_WORDS[0], "[2, 3]"]
    ),
    ("linalg_cond", "singular_values"): mistake(
        lambda: eagre.linalg.cond(tensor(2, 2)), [NO_SINGULAR_VALUES], eagre.UnimplementedError
    ),
    ("linalg_cond_named", "nuclear"): mistake(
        lambda: eagre.linalg.cond(tensor(2, 2), "nuc"),
        [NO_SINGULAR_VALUES],
        eagre.UnimplementedError,
    ),
}
