"""Samples of ops/linalg.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import FLOATS, PRODUCT_DTYPES, Sample, make, strided

import eagre


def matmul():
    shapes = [
        ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
        ((5, 2, 3), (5, 3, 4)), ((2, 1, 2, 3), (5, 3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4)),
        ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (3, 0)),
    ]  # fmt: skip
    for dtype in PRODUCT_DTYPES:
        for left, right in shapes:
            a, b = make(left, dtype, 1), make(right, dtype, 2)
            yield Sample((a, b), np.asarray(a @ b))
    for dtype in (np.float64, np.complex128):
        a, b = strided((4, 3), dtype, seed=1), strided((3, 2), dtype, seed=2)
        yield Sample((a, b), a @ b)
    for left, right in (((40, 300), (300, 33)), ((40, 300), (300,)), ((300,), (300, 40))):
        a, b = make(left, np.float16, 1), make(right, np.float16, 2)
        # Summed in float: NumPy would round every sum.
        exact = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
        yield Sample((a, b), exact, tolerance=1e-3)
    a, b = make((70, 65), np.float32, 1), make((65, 33), np.float32, 2)
    yield Sample((a, b), a @ b, tolerance=1e-4)  # sums of 65 products in another order


def _products(shapes, function):
    for dtype in PRODUCT_DTYPES:
        for left, right in shapes:
            a, b = make(left, dtype, 1), make(right, dtype, 2)
            yield Sample((a, b), np.asarray(function(a, b)))


def mm():
    yield from _products(
        [((2, 3), (3, 4)), ((1, 1), (1, 1)), ((0, 3), (3, 2)), ((2, 0), (0, 3))], np.matmul
    )
    a, b = strided((4, 3), seed=1), strided((3, 2), seed=2)
    yield Sample((a, b), a @ b)


def bmm():
    yield from _products([((2, 3, 4), (2, 4, 5)), ((0, 2, 3), (0, 3, 2))], np.matmul)


def mv():
    yield from _products([((2, 3), (3,)), ((0, 3), (3,)), ((2, 0), (0,))], np.matmul)


def dot():
    yield from _products([((3,), (3,)), ((0,), (0,))], np.dot)


def vdot():
    yield from _products([((3,), (3,)), ((0,), (0,))], np.vdot)


def outer():
    yield from _products([((3,), (2,)), ((0,), (2,)), ((1,), (1,))], np.outer)


def addmm():
    for dtype in PRODUCT_DTYPES:
        a, b = make((2, 3), dtype, 1), make((3, 4), dtype, 2)
        for shape in ((2, 4), (4,), (2, 1), ()):
            c = make(shape, dtype, 3)
            yield Sample((c, a, b), c + a @ b)
            yield Sample((c, a, b), c * 2 + a @ b * 3, {"beta": 2, "alpha": 3})
    c = np.full((2, 4), np.nan)
    a, b = make((2, 3), seed=1), make((3, 4), seed=2)
    yield Sample((c, a, b), a @ b, {"beta": 0})
    a, b, c = (make((2, 2), np.complex128, seed) for seed in range(3))
    yield Sample((c, a, b), c * 1j + a @ b * (2 - 1j), {"beta": 1j, "alpha": 2 - 1j})


def _with_product(shape, left, right, product):
    for dtype in PRODUCT_DTYPES:
        a, b, c = make(left, dtype, 1), make(right, dtype, 2), make(shape, dtype, 3)
        yield Sample((c, a, b), c + product(a, b))
        yield Sample((c, a, b), c * 2 + product(a, b) * 3, {"beta": 2, "alpha": 3})
    a, b = make(left, seed=1), make(right, seed=2)
    yield Sample((np.full(shape, np.nan), a, b), product(a, b), {"beta": 0})


def baddbmm():
    yield from _with_product((2, 2, 2), (2, 2, 3), (2, 3, 2), np.matmul)
    yield from _with_product((2,), (2, 2, 3), (2, 3, 2), np.matmul)


def addbmm():
    yield from _with_product((2, 2), (2, 2, 3), (2, 3, 2), lambda a, b: (a @ b).sum(0))


def addmv():
    yield from _with_product((2,), (2, 3), (3,), np.matmul)
    yield from _with_product((), (2, 3), (3,), np.matmul)
    c, a, b = make((2,), np.int64), make((2, 3), np.int64, 1), make((3,), np.int64, 2)
    yield Sample((c, a, b), c + 2 * (a @ b), {"beta": 1.7, "alpha": 2.6})  # as PyTorch has it


def addr():
    yield from _with_product((2, 3), (2,), (3,), np.outer)
    yield from _with_product((3,), (2,), (3,), np.outer)
    a, b = np.asarray([True, False]), np.asarray([True, True])
    yield Sample((np.zeros((2, 2), bool), a, b), np.outer(a, b), {"beta": True, "alpha": True})
    yield Sample((np.zeros((2, 2), bool), a, b), np.outer(a, b))


def _norm(a, order=2, axis=None, keepdims=False):
    a = np.abs(a)
    if order == np.inf:
        return np.asarray(a.max(axis, keepdims=keepdims))
    if order == -np.inf:
        return np.asarray(a.min(axis, keepdims=keepdims))
    if order == 0:
        return np.asarray((a != 0).sum(axis, keepdims=keepdims).astype(a.dtype))
    total = np.asarray((a**order).sum(axis, keepdims=keepdims))
    return np.asarray(total ** (1 / order)).astype(a.dtype)


def norm():
    for dtype in (np.float64, np.float32, np.complex64, np.complex128):
        for shape in ((), (3,), (2, 3)):
            a = make(shape, dtype)
            yield Sample((a,), _norm(a))
            for p in (0, 1, 2, 3, 0.5, -1, np.inf, -np.inf):
                yield Sample((a, p), _norm(a, p))
    a = make((2, 3))
    yield Sample((a, 3, 1), _norm(a, 3, 1))
    yield Sample((a, None, (0, 1), True), _norm(a, 2, (0, 1), True))
    yield Sample((a.astype(np.float32),), _norm(a.astype(np.float32).astype(np.float64), 2, 0),
                 {"dim": 0, "dtype": eagre.float64})  # fmt: skip
    yield Sample((make((0, 3)), 2, 0), np.zeros(3))


def norm_except_dim():
    a = make((2, 3, 4))
    yield Sample((a,), _norm(a, 2, (1, 2), True))
    yield Sample((a, 1, 1), _norm(a, 1, (0, 2), True))
    yield Sample((a, 3, 2), _norm(a, 3, (0, 1), True))
    yield Sample((a, 2, -2), _norm(a, 2, (0, 2), True))
    yield Sample((a, 2, -1), _norm(a))
    yield Sample((make((3,)),), abs(make((3,))))
    yield Sample((make((0, 3)),), np.zeros((0, 1)))


def norm_named():
    yield Sample((make((2, 3)), "fro"), _norm(make((2, 3))))
    yield Sample((make((2, 3)), "fro", 1, True), _norm(make((2, 3)), 2, 1, True))


def linalg_vector_norm():
    a = make((2, 3))
    yield Sample((a,), _norm(a))
    yield Sample((a, 1.5, -1), _norm(a, 1.5, -1))
    yield Sample((a, np.inf, (0, 1), True), _norm(a, np.inf, (0, 1), True))
    b = make((3,), np.complex128)
    yield Sample((b, 3), _norm(b, 3))


def dist():
    for left, right in (((3,), (3,)), ((2, 3), (3,)), ((), ())):
        a, b = make(left, seed=1), make(right, seed=2)
        yield Sample((a, b), _norm(a - b))
        yield Sample((a, b, 1), _norm(a - b, 1))


def trace():
    for dtype in (np.float64, np.float32, np.int64, np.int32):
        for shape in ((2, 2), (3, 2), (0, 2)):
            a = make(shape, dtype)
            wide = np.int64 if np.issubdtype(dtype, np.integer) else dtype
            yield Sample((a,), np.asarray(np.trace(a, dtype=wide)))


def cross():
    for dtype in (*FLOATS, np.int64):
        a, b = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        yield Sample((a, b), np.cross(a, b))
    a, b = make((3, 3), seed=1), make((3, 3), seed=2)
    yield Sample((a, b), np.cross(a, b, axis=0))
    yield Sample((a, b, 1), np.cross(a, b, axis=1))
    yield Sample((make((1, 3)), b, -1), np.cross(make((1, 3)), b))


def cdist():
    for dtype in FLOATS:
        a, b = make((2, 3), dtype, 1), make((4, 3), dtype, 2)
        difference = np.abs(a[:, None] - b)
        yield Sample((a, b), np.sqrt((difference**2).sum(-1)))
        yield Sample((a, b, 1.0), difference.sum(-1))
        yield Sample((a, b, np.inf), difference.max(-1))
    a, b = make((2, 2, 3), seed=1), make((2, 3), seed=2)
    yield Sample((a, b, 3), (np.abs(a[..., None, :] - b) ** 3).sum(-1) ** (1 / 3))
    yield Sample((make((0, 2)), make((3, 2))), np.zeros((0, 3)))


BAD = {
    ("matmul", "inner_sizes_differ"): (
        lambda: tensor(2, 3) @ tensor(2, 3),
        eagre.InvalidArgumentError,
        ["matmul()", "'other'", "3 rows", "transpose"],
    ),
    ("matmul", "zero_dim"): (
        lambda: tensor(2, 3) @ tensor(),
        eagre.InvalidArgumentError,
        ["matmul()", "'other'", "0-dim"],
    ),
    ("matmul", "mixed_dtypes"): (
        lambda: tensor(2, 3) @ tensor(3, dtype=np.float64),
        eagre.DTypeError,
        ["matmul()", "'other'", "float32", "float64"],
    ),
    ("mm", "not_a_matrix"): (
        lambda: eagre.mm(tensor(3), tensor(3, 2)),
        eagre.InvalidArgumentError,
        ["mm()", "'input'", "a matrix", "[3]"],
    ),
    ("mm", "inner_sizes_differ"): (
        lambda: eagre.mm(tensor(2, 3), tensor(2, 3)),
        eagre.InvalidArgumentError,
        ["mm()", "'mat2'", "3 rows", "[2, 3]"],
    ),
    ("mm", "mixed_dtypes"): (
        lambda: eagre.mm(tensor(2, 3), tensor(3, 2, dtype=np.float64)),
        eagre.DTypeError,
        ["mm()", "'mat2'", "float32", "float64"],
    ),
    ("bmm", "not_a_batch"): (
        lambda: eagre.bmm(tensor(2, 3, 2), tensor(2, 3)),
        eagre.InvalidArgumentError,
        ["bmm()", "'mat2'", "a batch of matrices", "[2, 3]"],
    ),
    ("bmm", "batches_differ"): (
        lambda: eagre.bmm(tensor(2, 3, 2), tensor(3, 2, 3)),
        eagre.InvalidArgumentError,
        ["bmm()", "'mat2'", "2 matrices", "[3, 2, 3]"],
    ),
    ("mv", "not_a_vector"): (
        lambda: eagre.mv(tensor(2, 3), tensor(3, 1)),
        eagre.InvalidArgumentError,
        ["mv()", "'vec'", "a vector", "[3, 1]"],
    ),
    ("mv", "inner_sizes_differ"): (
        lambda: eagre.mv(tensor(2, 3), tensor(2)),
        eagre.InvalidArgumentError,
        ["mv()", "'vec'", "3 elements", "[2]"],
    ),
    ("dot", "not_a_vector"): (
        lambda: eagre.dot(tensor(2, 3), tensor(3)),
        eagre.InvalidArgumentError,
        ["dot()", "'input'", "a vector", "[2, 3]"],
    ),
    ("dot", "lengths_differ"): (
        lambda: eagre.dot(tensor(3), tensor(2)),
        eagre.InvalidArgumentError,
        ["dot()", "'tensor'", "3 elements", "[2]"],
    ),
    ("vdot", "not_a_vector"): (
        lambda: eagre.vdot(tensor(2, 3), tensor(3)),
        eagre.InvalidArgumentError,
        ["vdot()", "'input'", "a vector", "[2, 3]"],
    ),
    ("vdot", "lengths_differ"): (
        lambda: eagre.vdot(tensor(2), tensor(3)),
        eagre.InvalidArgumentError,
        ["vdot()", "'other'", "2 elements", "[3]"],
    ),
    ("outer", "not_a_vector"): (
        lambda: eagre.outer(tensor(3), tensor()),
        eagre.InvalidArgumentError,
        ["outer()", "'vec2'", "a vector", "0-dim"],
    ),
    ("addmm", "not_a_matrix"): (
        lambda: eagre.addmm(tensor(2), tensor(2, 3), tensor(3)),
        eagre.InvalidArgumentError,
        ["addmm()", "'mat2'", "a matrix", "[3]"],
    ),
    ("addmm", "input_does_not_fit"): (
        lambda: eagre.addmm(tensor(3), tensor(2, 3), tensor(3, 2)),
        eagre.InvalidArgumentError,
        ["addmm()", "'input'", "[2, 2]", "[3]"],
    ),
    ("baddbmm", "not_a_batch"): (
        lambda: eagre.baddbmm(tensor(2), tensor(2, 2), tensor(2, 2, 2)),
        eagre.InvalidArgumentError,
        ["baddbmm()", "bmm()", "a batch of matrices", "[2, 2]"],
    ),
    ("baddbmm", "input_does_not_fit"): (
        lambda: eagre.baddbmm(tensor(3), tensor(2, 2, 2), tensor(2, 2, 2)),
        eagre.InvalidArgumentError,
        ["baddbmm()", "'input'", "[2, 2, 2]", "[3]"],
    ),
    ("addbmm", "not_a_batch"): (
        lambda: eagre.addbmm(tensor(2), tensor(2, 2, 2), tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["addbmm()", "bmm()", "a batch of matrices", "[2, 2]"],
    ),
    ("addbmm", "input_does_not_fit"): (
        lambda: eagre.addbmm(tensor(3), tensor(2, 2, 2), tensor(2, 2, 2)),
        eagre.InvalidArgumentError,
        ["addbmm()", "'input'", "[2, 2]", "[3]"],
    ),
    ("addmv", "not_a_vector"): (
        lambda: eagre.addmv(tensor(2), tensor(2, 3), tensor(3, 1)),
        eagre.InvalidArgumentError,
        ["addmv()", "mv()", "a vector", "[3, 1]"],
    ),
    ("addmv", "input_does_not_fit"): (
        lambda: eagre.addmv(tensor(3), tensor(2, 3), tensor(3)),
        eagre.InvalidArgumentError,
        ["addmv()", "'input'", "[2]", "[3]"],
    ),
    ("addr", "not_a_vector"): (
        lambda: eagre.addr(tensor(2), tensor(2, 3), tensor(3)),
        eagre.InvalidArgumentError,
        ["addr()", "outer()", "a vector", "[2, 3]"],
    ),
    ("addr", "fraction_of_integers"): (
        lambda: eagre.addr(*(tensor(2, dtype=np.int64) for _ in range(3)), beta=0.5),
        eagre.InvalidArgumentError,
        ["addr()", "'beta'", "a whole number"],
    ),
    ("addr", "input_does_not_fit"): (
        lambda: eagre.addr(tensor(2), tensor(2), tensor(3)),
        eagre.InvalidArgumentError,
        ["addr()", "'input'", "[2, 3]", "[2]"],
    ),
    ("norm_except_dim", "integers"): (
        lambda: eagre.norm_except_dim(tensor(2, 3, dtype=np.int64)),
        eagre.UnimplementedError,
        ["norm_except_dim()", "int64"],
    ),
    ("norm_except_dim", "dim_out_of_range"): (
        lambda: eagre.norm_except_dim(tensor(2, 3), 2, 2),
        eagre.IndexOutOfRangeError,
        ["norm_except_dim()", "'dim'", "[-2, 1]"],
    ),
    ("norm", "integers"): (
        lambda: tensor(2, dtype=np.int64).norm(),
        eagre.UnimplementedError,
        ["norm()", "floating point", "int64"],
    ),
    ("norm", "dim_out_of_range"): (
        lambda: tensor(2).norm(2, 1),
        eagre.IndexOutOfRangeError,
        ["norm()", "'dim'", "got 1"],
    ),
    ("norm_named", "nuclear"): (
        lambda: tensor(2, 2).norm("nuc"),
        eagre.UnimplementedError,
        ["norm()", "singular values"],
    ),
    ("norm_named", "unknown"): (
        lambda: tensor(2, 2).norm("two"),
        eagre.InvalidArgumentError,
        ["norm()", "'p'", "'two'"],
    ),
    ("linalg_vector_norm", "integers"): (
        lambda: eagre.linalg.vector_norm(tensor(2, dtype=np.int64)),
        eagre.UnimplementedError,
        ["linalg_vector_norm()", "floating point", "int64"],
    ),
    ("linalg_vector_norm", "nothing"): (
        lambda: eagre.linalg.vector_norm(tensor(0), float("inf")),
        eagre.IndexOutOfRangeError,
        ["linalg_vector_norm()", "amax()"],
    ),
    ("dist", "shapes_do_not_broadcast"): (
        lambda: eagre.dist(tensor(2), tensor(3)),
        eagre.InvalidArgumentError,
        ["dist()", "[2]", "[3]"],
    ),
    ("trace", "not_a_matrix"): mistake(lambda: tensor(2).trace(), ["trace()", "'input'", "[2]"]),
    ("cross", "ranks_differ"): (
        lambda: eagre.cross(tensor(2, 3), tensor(3)),
        eagre.InvalidArgumentError,
        ["cross()", "'other'", "[2, 3]", "[3]"],
    ),
    ("cross", "not_three"): (
        lambda: eagre.cross(tensor(2, 2), tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["cross()", "length 3", "[2, 2]"],
    ),
    ("cross", "dim_out_of_range"): (
        lambda: eagre.cross(tensor(3), tensor(3), 1),
        eagre.IndexOutOfRangeError,
        ["cross()", "got 1"],
    ),
    ("cdist", "not_matrices"): (
        lambda: eagre.cdist(tensor(2), tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["cdist()", "'x1'"],
    ),
    ("cdist", "columns_differ"): (
        lambda: eagre.cdist(tensor(2, 2), tensor(2, 3)),
        eagre.InvalidArgumentError,
        ["cdist()", "'x2'", "2 columns", "[2, 3]"],
    ),
    ("cdist", "integers"): (
        lambda: eagre.cdist(tensor(2, 2), integers(2, 2)),
        eagre.InvalidArgumentError,
        ["cdist()", "'x2'", "int64"],
    ),
    ("cdist", "negative_p"): (
        lambda: eagre.cdist(tensor(2, 2), tensor(2, 2), -1),
        eagre.InvalidArgumentError,
        ["cdist()", "'p'", "-1"],
    ),
    ("cdist", "unknown_mode"): (
        lambda: eagre.cdist(tensor(2, 2), tensor(2, 2), compute_mode="fast"),
        eagre.InvalidArgumentError,
        ["cdist()", "'compute_mode'", "'fast'"],
    ),
}


def renorm():
    def scaled(a, p, dim, most):
        axes = tuple(i for i in range(a.ndim) if i != dim % a.ndim)
        size = (np.abs(a) ** p).sum(axes, keepdims=True) ** (1 / p)
        return np.where(size > most, a * (most / (size + 1e-7)), a).astype(a.dtype)

    for dtype in (np.float64, np.float32, np.complex128):
        for p in (1, 2, 2.5):
            for dim in (0, -1):
                a = make((3, 4), dtype)
                yield Sample((a, p, dim, 2.5), scaled(a, p, dim, 2.5))
    a = make((2, 3, 2))
    yield Sample((a, 2, 1, 1.5), scaled(a, 2, 1, 1.5))
    yield Sample((make((2, 0)), 2, 0, 1), np.zeros((2, 0)))


BAD |= {
    ("renorm", "no_norm"): (
        lambda: eagre.renorm(tensor(2, 3), 0, 0, 1),
        eagre.InvalidArgumentError,
        ["renorm()", "'p'", "got 0"],
    ),
    ("renorm", "negative_bound"): (
        lambda: eagre.renorm(tensor(2, 3), 2, 0, -1),
        eagre.InvalidArgumentError,
        ["renorm()", "'maxnorm'", "-1"],
    ),
    ("renorm", "vector"): (
        lambda: eagre.renorm(tensor(2), 2, 0, 1),
        eagre.InvalidArgumentError,
        ["renorm()", "'input'", "got 1"],
    ),
    ("renorm", "dim_out_of_range"): (
        lambda: eagre.renorm(tensor(2, 3), 2, 2, 1),
        eagre.IndexOutOfRangeError,
        ["renorm()", "'dim'"],
    ),
}
