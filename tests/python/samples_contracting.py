"""Samples of sums of products and norms."""

import numpy as np
from samples import PRODUCT_DTYPES, Sample, _t, make, strided

import eagre


def einsum():
    for equation, *shapes in [
        ("ij,jk->ik", (2, 3), (3, 4)),
        ("ij,jk", (2, 3), (3, 4)),
        ("ii->i", (3, 3)),
        ("ij->", (2, 3)),
        ("b...,b->b...", (2, 3), (2,)),
        ("i,j,k->kij", (2,), (3,), (2,)),
        ("bij,bkj->bik", (2, 2, 3), (2, 2, 3)),
        ("ij,kj->ik", (2, 1), (2, 3)),
        ("ij,ij->ij", (2, 0), (2, 0)),
    ]:
        for dtype in PRODUCT_DTYPES:
            arrays = [make(shape, dtype, seed) for seed, shape in enumerate(shapes)]
            yield Sample((equation, *arrays), np.asarray(np.einsum(equation, *arrays)))
    a = strided((3, 2))
    yield Sample(("ij->ji", a), a.T)
    yield Sample(("ij,j", [make((2, 3)), make((3,))]), make((2, 3)) @ make((3,)))


def tensordot():
    for dtype in PRODUCT_DTYPES:
        a, b = make((2, 3, 4), dtype, 1), make((3, 4, 2), dtype, 2)
        yield Sample((a, b), np.tensordot(a, b))
        yield Sample((a, b, 0), np.tensordot(a, b, 0))
        yield Sample((a, b), np.tensordot(a, b, ([0, -1], [2, 1])), {"dims": ([0, -1], [2, 1])})
    a, b = make((2, 1)), make((3, 2))
    yield Sample((a, b, ([1], [0])), a * b.sum(0))
    yield Sample((make((2, 0)), make((0, 3)), 1), np.zeros((2, 3)))


def inner():
    for dtype in PRODUCT_DTYPES:
        for left, right in (((3,), (3,)), ((2, 3), (4, 3)), ((), (2,)), ((2, 0), (3, 0))):
            a, b = make(left, dtype, 1), make(right, dtype, 2)
            yield Sample((a, b), np.asarray(np.inner(a, b)))


def kron():
    for dtype in PRODUCT_DTYPES:
        for left, right in (((2,), (3,)), ((2, 2), (1, 3)), ((2,), (2, 2)), ((), (2,)), ((0,), ())):
            a, b = make(left, dtype, 1), make(right, dtype, 2)
            yield Sample((a, b), np.asarray(np.kron(a, b)))


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


BAD = {
    ("einsum", "no_operands"): (
        lambda: eagre.einsum("ij", []), eagre.InvalidArgumentError, ["einsum()", "one operand"]),
    ("einsum", "too_many_operands"): (
        lambda: eagre.einsum("ij", _t(2, 2), _t(2, 2)), eagre.InvalidArgumentError,
        ["einsum()", "'equation'", "2 operands", "1 in 'ij'"]),
    ("einsum", "wrong_rank"): (
        lambda: eagre.einsum("ijk", _t(2, 2)), eagre.InvalidArgumentError,
        ["einsum()", "'equation'", "[2, 2]", "3 in 'ijk'"]),
    ("einsum", "no_letter"): (
        lambda: eagre.einsum("i1,j", _t(2, 2), _t(2)), eagre.InvalidArgumentError,
        ["einsum()", "invalid subscript '1' at position 1"]),
    ("einsum", "two_arrows"): (
        lambda: eagre.einsum("i->i->i", _t(2)), eagre.InvalidArgumentError,
        ["einsum()", "invalid subscript '-' at position 4"]),
    ("einsum", "unknown_label"): (
        lambda: eagre.einsum("ij->iz", _t(2, 2)), eagre.InvalidArgumentError,
        ["einsum()", "labels that operands have", "'z'"]),
    ("einsum", "label_twice"): (
        lambda: eagre.einsum("ij->ii", _t(2, 2)), eagre.InvalidArgumentError,
        ["einsum()", "'i' twice"]),
    ("einsum", "sizes_differ"): (
        lambda: eagre.einsum("ij,jk", _t(3, 4), _t(3, 5)), eagre.InvalidArgumentError,
        ["einsum()", "'j' has sizes 4 and 3"]),
    ("einsum", "repeated_sizes_differ"): (
        lambda: eagre.einsum("ii", _t(3, 4)), eagre.InvalidArgumentError,
        ["einsum()", "'i' is repeated", "3 and 4"]),
    ("tensordot", "counts_differ"): (
        lambda: eagre.tensordot(_t(2, 3), _t(3, 2), ([0, 1], [0])), eagre.InvalidArgumentError,
        ["tensordot()", "'dims'", "[0, 1] and [0]"]),
    ("tensordot", "sizes_differ"): (
        lambda: eagre.tensordot(_t(2, 3), _t(2, 3), 1), eagre.InvalidArgumentError,
        ["tensordot()", "size 3", "size 2"]),
    ("tensordot", "dim_out_of_range"): (
        lambda: eagre.tensordot(_t(2, 3), _t(3, 2), ([2], [0])), eagre.IndexOutOfRangeError,
        ["tensordot()", "'dims_input'", "got 2"]),
    ("tensordot", "too_many"): (
        lambda: eagre.tensordot(_t(2, 3), _t(3), 2), eagre.InvalidArgumentError,
        ["tensordot()", "'dims'", "0 to", "got 2"]),
    ("inner", "sizes_differ"): (
        lambda: eagre.inner(_t(2, 3), _t(2)), eagre.InvalidArgumentError,
        ["inner()", "'other'", "size 3", "[2]"]),
    ("kron", "not_a_tensor"): (
        lambda: eagre.kron(_t(2), 2), eagre.DTypeError, ["kron()", "'other'", "a Tensor", "int"]),
    ("baddbmm", "not_a_batch"): (
        lambda: eagre.baddbmm(_t(2), _t(2, 2), _t(2, 2, 2)), eagre.InvalidArgumentError,
        ["baddbmm()", "bmm()", "a batch of matrices", "[2, 2]"]),
    ("baddbmm", "input_does_not_fit"): (
        lambda: eagre.baddbmm(_t(3), _t(2, 2, 2), _t(2, 2, 2)), eagre.InvalidArgumentError,
        ["baddbmm()", "'input'", "[2, 2, 2]", "[3]"]),
    ("addbmm", "not_a_batch"): (
        lambda: eagre.addbmm(_t(2), _t(2, 2, 2), _t(2, 2)), eagre.InvalidArgumentError,
        ["addbmm()", "bmm()", "a batch of matrices", "[2, 2]"]),
    ("addbmm", "input_does_not_fit"): (
        lambda: eagre.addbmm(_t(3), _t(2, 2, 2), _t(2, 2, 2)), eagre.InvalidArgumentError,
        ["addbmm()", "'input'", "[2, 2]", "[3]"]),
    ("addmv", "not_a_vector"): (
        lambda: eagre.addmv(_t(2), _t(2, 3), _t(3, 1)), eagre.InvalidArgumentError,
        ["addmv()", "mv()", "a vector", "[3, 1]"]),
    ("addmv", "input_does_not_fit"): (
        lambda: eagre.addmv(_t(3), _t(2, 3), _t(3)), eagre.InvalidArgumentError,
        ["addmv()", "'input'", "[2]", "[3]"]),
    ("addr", "not_a_vector"): (
        lambda: eagre.addr(_t(2), _t(2, 3), _t(3)), eagre.InvalidArgumentError,
        ["addr()", "outer()", "a vector", "[2, 3]"]),
    ("addr", "fraction_of_integers"): (
        lambda: eagre.addr(*(_t(2, dtype=np.int64) for _ in range(3)), beta=0.5),
        eagre.InvalidArgumentError, ["addr()", "'beta'", "a whole number"]),
    ("addr", "input_does_not_fit"): (
        lambda: eagre.addr(_t(2), _t(2), _t(3)), eagre.InvalidArgumentError,
        ["addr()", "'input'", "[2, 3]", "[2]"]),
    ("norm", "integers"): (
        lambda: _t(2, dtype=np.int64).norm(), eagre.UnimplementedError,
        ["norm()", "floating point", "int64"]),
    ("norm", "dim_out_of_range"): (
        lambda: _t(2).norm(2, 1), eagre.IndexOutOfRangeError, ["norm()", "'dim'", "got 1"]),
    ("norm_named", "nuclear"): (
        lambda: _t(2, 2).norm("nuc"), eagre.UnimplementedError, ["norm()", "singular values"]),
    ("norm_named", "unknown"): (
        lambda: _t(2, 2).norm("two"), eagre.InvalidArgumentError, ["norm()", "'p'", "'two'"]),
    ("linalg_vector_norm", "integers"): (
        lambda: eagre.linalg.vector_norm(_t(2, dtype=np.int64)), eagre.UnimplementedError,
        ["linalg_vector_norm()", "floating point", "int64"]),
    ("linalg_vector_norm", "nothing"): (
        lambda: eagre.linalg.vector_norm(_t(0), float("inf")), eagre.InvalidArgumentError,
        ["linalg_vector_norm()", "amax()"]),
    ("dist", "shapes_do_not_broadcast"): (
        lambda: eagre.dist(_t(2), _t(3)), eagre.InvalidArgumentError, ["dist()", "[2]", "[3]"]),
}  # fmt: skip
