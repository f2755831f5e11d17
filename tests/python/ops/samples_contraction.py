"""Samples of ops/contraction.yaml."""

import numpy as np
from mistakes import tensor
from samples import PRODUCT_DTYPES, Sample, make, strided

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


def linear():
    w, b = make((4, 3), seed=1), make((4,), seed=2)
    for shape in ((3,), (2, 3), (2, 2, 3), (0, 3)):
        a = make(shape)
        yield Sample((a, w), a @ w.T)
        yield Sample((a, w, b), a @ w.T + b)
    yield Sample((make((2, 3)), make((3,), seed=1)), make((2, 3)) @ make((3,), seed=1))
    a = make((2, 3), np.float32)
    yield Sample((a, w.astype(np.float32)), a @ w.astype(np.float32).T)
    for dtype in (np.complex64, np.complex128):
        a, w, b = make((2, 3), dtype), make((4, 3), dtype, 1), make((4,), dtype, 2)
        yield Sample((a, w, b), a @ w.T + b)


BAD = {
    ("einsum", "no_operands"): (
        lambda: eagre.einsum("ij", []),
        eagre.InvalidArgumentError,
        ["einsum()", "one operand"],
    ),
    ("einsum", "too_many_operands"): (
        lambda: eagre.einsum("ij", tensor(2, 2), tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["einsum()", "'equation'", "2 operands", "1 in 'ij'"],
    ),
    ("einsum", "wrong_rank"): (
        lambda: eagre.einsum("ijk", tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["einsum()", "'equation'", "[2, 2]", "3 in 'ijk'"],
    ),
    ("einsum", "no_letter"): (
        lambda: eagre.einsum("i1,j", tensor(2, 2), tensor(2)),
        eagre.InvalidArgumentError,
        ["einsum()", "invalid subscript '1' at position 1"],
    ),
    ("einsum", "two_arrows"): (
        lambda: eagre.einsum("i->i->i", tensor(2)),
        eagre.InvalidArgumentError,
        ["einsum()", "invalid subscript '-' at position 4"],
    ),
    ("einsum", "unknown_label"): (
        lambda: eagre.einsum("ij->iz", tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["einsum()", "labels that operands have", "'z'"],
    ),
    ("einsum", "label_twice"): (
        lambda: eagre.einsum("ij->ii", tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["einsum()", "'i' twice"],
    ),
    ("einsum", "sizes_differ"): (
        lambda: eagre.einsum("ij,jk", tensor(3, 4), tensor(3, 5)),
        eagre.InvalidArgumentError,
        ["einsum()", "'j' has sizes 4 and 3"],
    ),
    ("einsum", "repeated_sizes_differ"): (
        lambda: eagre.einsum("ii", tensor(3, 4)),
        eagre.InvalidArgumentError,
        ["einsum()", "'i' is repeated", "3 and 4"],
    ),
    ("tensordot", "counts_differ"): (
        lambda: eagre.tensordot(tensor(2, 3), tensor(3, 2), ([0, 1], [0])),
        eagre.InvalidArgumentError,
        ["tensordot()", "'dims'", "[0, 1] and [0]"],
    ),
    ("tensordot", "sizes_differ"): (
        lambda: eagre.tensordot(tensor(2, 3), tensor(2, 3), 1),
        eagre.InvalidArgumentError,
        ["tensordot()", "size 3", "size 2"],
    ),
    ("tensordot", "dim_out_of_range"): (
        lambda: eagre.tensordot(tensor(2, 3), tensor(3, 2), ([2], [0])),
        eagre.IndexOutOfRangeError,
        ["tensordot()", "'dims_input'", "got 2"],
    ),
    ("tensordot", "too_many"): (
        lambda: eagre.tensordot(tensor(2, 3), tensor(3), 2),
        eagre.InvalidArgumentError,
        ["tensordot()", "'dims'", "0 to", "got 2"],
    ),
    ("inner", "sizes_differ"): (
        lambda: eagre.inner(tensor(2, 3), tensor(2)),
        eagre.InvalidArgumentError,
        ["inner()", "'other'", "size 3", "[2]"],
    ),
    ("kron", "not_a_tensor"): (
        lambda: eagre.kron(tensor(2), 2),
        eagre.DTypeError,
        ["kron()", "'other'", "a Tensor", "int"],
    ),
    ("linear", "sizes_differ"): (
        lambda: eagre.linear(tensor(2, 3), tensor(4, 2)),
        eagre.InvalidArgumentError,
        ["linear()", "'input'", "[4, 2]", "[2, 3]"],
    ),
    ("linear", "not_a_matrix"): (
        lambda: eagre.linear(tensor(2, 3), tensor(4, 2, 3)),
        eagre.InvalidArgumentError,
        ["linear()", "'weight'", "[4, 2, 3]"],
    ),
    ("linear", "bias_does_not_fit"): (
        lambda: eagre.linear(tensor(2, 3), tensor(4, 3), tensor(3)),
        eagre.InvalidArgumentError,
        ["linear()", "'bias'", "[2, 4]", "[3]"],
    ),
    ("linear", "zero_dim"): (
        lambda: eagre.linear(tensor(), tensor(4, 3)),
        eagre.InvalidArgumentError,
        ["linear()", "'input'", "0-dim"],
    ),
}
