"""Samples of ops/creation_grid.yaml."""

import itertools

import numpy as np
from mistakes import integers, mistake, tensor
from samples import DTYPES, SOME, Sample, make, several

import eagre


def arange():
    yield Sample((5,), np.arange(5))
    yield Sample((0,), np.arange(0))
    yield Sample((2.5,), np.arange(2.5).astype(np.float32))
    for dtype in DTYPES:
        if dtype not in (np.bool_, np.complex64, np.complex128):
            yield Sample((5,), np.arange(5).astype(dtype), {"dtype": DTYPES[dtype]})
    yield Sample((100000,), np.arange(100000))
    yield Sample((), np.arange(4), {"end": 4})


def arange_from():
    yield Sample((2, 5), np.arange(2, 5))
    yield Sample((-1.5, 2), np.arange(-1.5, 2).astype(np.float32))
    yield Sample((2, 2), np.arange(0))


def arange_step():
    yield Sample((1, 10, 3), np.arange(1, 10, 3))
    yield Sample((10, 1, -3), np.arange(10, 1, -3))
    yield Sample((0, 1, 0.1), np.arange(0, 1, 0.1), {"dtype": eagre.float64})
    yield Sample((1, 1.3, 0.1), np.arange(1, 1.3, 0.1).astype(np.float32))
    yield Sample((0, 1e5, 0.5), np.arange(0, 1e5, 0.5).astype(np.float32))
    yield Sample((2**62, 2**62 + 3, 1), np.arange(2**62, 2**62 + 3))
    yield Sample((0.5, 3.5, 1), np.arange(3), {"dtype": eagre.int64})
    yield Sample((0.0, -8.5, -4.0), np.arange(0, -9, -4), {"dtype": eagre.int64})
    yield Sample((0, 3, 0.7), np.zeros(5, np.int64), {"dtype": eagre.int64})
    yield Sample((), np.arange(1, 10, 3), {"start": 1, "end": 10, "step": 3})


def linspace():
    for start, end, steps in (
        (0, 1, 5),
        (-2, 3, 11),
        (3, -3, 4),
        (1, 1, 3),
        (0, 9, 1),
        (0, 1, 0),
        (0, 1, 100001),
    ):
        yield Sample((start, end, steps), np.linspace(start, end, steps).astype(np.float32))
        yield Sample((start, end, steps), np.linspace(start, end, steps), {"dtype": eagre.float64})
    yield Sample((0, 10, 5), np.asarray([0, 2, 5, 7, 10]), {"dtype": eagre.int64})
    yield Sample((0, 1 + 1j, 5), np.linspace(0, 1 + 1j, 5).astype(np.complex64))
    yield Sample((1j, 1, 4), np.linspace(1j, 1, 4), {"dtype": eagre.complex128})


def logspace():
    yield Sample((0, 2, 3), np.logspace(0, 2, 3).astype(np.float32), tolerance=1e-5)
    yield Sample((-1, 1, 4, 2.0), np.logspace(-1, 1, 4, base=2), {"dtype": eagre.float64})
    yield Sample((0, 1 + 1j, 3), 10 ** np.linspace(0, 1 + 1j, 3), {"dtype": eagre.complex128})


def eye():
    for n, m in ((3, 3), (2, 4), (4, 2), (0, 3), (3, 0)):
        yield Sample((n, m), np.eye(n, m, dtype=np.float32))
    yield Sample((3,), np.eye(3, dtype=np.float32))
    for dtype in DTYPES:
        yield Sample((2,), np.eye(2, dtype=dtype), {"dtype": DTYPES[dtype]})


def meshgrid():
    for dtype in SOME:
        a, b = make((2,), dtype, 1), make((3,), dtype, 2)
        for indexing in ("ij", "xy"):
            expected = several(*np.meshgrid(a, b, indexing=indexing))
            yield Sample((a, b), expected, {"indexing": indexing})
    yield Sample(([a, b],), several(*np.meshgrid(a, b, indexing="ij")))
    yield Sample((make(()), make((2,))), several(*np.meshgrid(make(()), make((2,)), indexing="ij")))


def cartesian_prod():
    a, b = make((2,), seed=1), make((3,), seed=2)
    rows = np.asarray(list(itertools.product(a, b)))
    yield Sample((a, b), rows)
    yield Sample(([a, b],), rows)
    yield Sample((a,), a)
    yield Sample((make((0,)), b), np.zeros((0, 2)))


def combinations():
    for dtype in SOME:
        a = make((4,), dtype)
        for r in (1, 2, 3):
            yield Sample((a, r), np.asarray(list(itertools.combinations(a, r)), dtype))
        repeated = itertools.combinations_with_replacement(a, 2)
        yield Sample((a, 2, True), np.asarray(list(repeated), dtype))
    yield Sample((make((2,)), 3), np.zeros((0, 3)))
    yield Sample((make((2,)), 0), np.zeros(0))
    yield Sample((make((0,)), 2, True), np.zeros((0, 2)))


def vander():
    for dtype in (np.float64, np.float32, np.int64):
        a = make((3,), dtype)
        yield Sample((a,), np.vander(a).astype(dtype))
        yield Sample((a, 2, True), np.vander(a, 2, True).astype(dtype))
    yield Sample((make((3,)), 0), np.zeros((3, 0)))


def _triangle(function):
    for rows, columns, offset in ((3, 3, 0), (2, 4, 1), (4, 2, -1), (0, 3, 0), (2, 2, 9)):
        expected = np.stack(function(rows, offset, columns))
        yield Sample((rows, columns, offset), expected)
    narrow = np.stack(function(2)).astype(np.int32)
    yield Sample((2, 2), narrow, {"dtype": eagre.int32})


def tril_indices():
    yield from _triangle(np.tril_indices)


def triu_indices():
    yield from _triangle(np.triu_indices)


BAD = {
    ("arange", "end_before_start"): (
        lambda: eagre.arange(-1),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "-1"],
    ),
    ("arange", "not_finite"): (
        lambda: eagre.arange(float("inf")),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "inf"],
    ),
    ("arange_from", "end_before_start"): (
        lambda: eagre.arange(3, 1),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "got 1"],
    ),
    ("arange_step", "zero_step"): (
        lambda: eagre.arange(0, 3, 0),
        eagre.InvalidArgumentError,
        ["arange()", "'step'", "0"],
    ),
    ("arange_step", "wrong_sign"): (
        lambda: eagre.arange(0, 3, -1),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "-1"],
    ),
    ("arange_step", "too_long"): (
        lambda: eagre.arange(0, 1e300, 1e-10),
        eagre.InvalidArgumentError,
        ["arange()", "'end'"],
    ),
    ("linspace", "negative_steps"): (
        lambda: eagre.linspace(0, 1, -1),
        eagre.InvalidArgumentError,
        ["linspace()", "'steps'", "-1"],
    ),
    ("logspace", "negative_steps"): (
        lambda: eagre.logspace(0, 1, -1),
        eagre.InvalidArgumentError,
        ["logspace()", "'steps'", "-1"],
    ),
    ("linspace", "complex_bound"): (
        lambda: eagre.linspace(0, 1j, 3, dtype=eagre.float32),
        eagre.InvalidArgumentError,
        ["linspace()", "'end'", "float32"],
    ),
    ("logspace", "complex_bound"): (
        lambda: eagre.logspace(1j, 1, 3, dtype=eagre.int64),
        eagre.InvalidArgumentError,
        ["logspace()", "'start'", "int64"],
    ),
    ("eye", "negative_size"): (
        lambda: eagre.eye(2, -1),
        eagre.InvalidArgumentError,
        ["eye()", "'m'", "-1"],
    ),
    ("meshgrid", "matrix"): mistake(
        lambda: eagre.meshgrid(tensor(2), tensor(2, 2)), ["meshgrid()", "'tensors'", "[2, 2]"]
    ),
    ("meshgrid", "unknown_indexing"): mistake(
        lambda: eagre.meshgrid(tensor(2), indexing="yx"), ["meshgrid()", "'indexing'", "'yx'"]
    ),
    ("meshgrid", "dtypes_differ"): mistake(
        lambda: eagre.meshgrid(tensor(2), integers(2)), ["meshgrid()", "float32", "int64"]
    ),
    ("cartesian_prod", "not_a_vector"): mistake(
        lambda: eagre.cartesian_prod(tensor(2, 2)), ["cartesian_prod()", "'tensors'", "[2, 2]"]
    ),
    ("combinations", "not_a_vector"): mistake(
        lambda: eagre.combinations(tensor(2, 2)), ["combinations()", "'input'", "[2, 2]"]
    ),
    ("combinations", "negative"): mistake(
        lambda: eagre.combinations(tensor(2), -1), ["combinations()", "'r'", "-1"]
    ),
    ("combinations", "too_many"): mistake(
        lambda: eagre.combinations(tensor(2), 2**62), ["combinations()", "'r'", str(2**62)]
    ),
    ("vander", "not_a_vector"): mistake(
        lambda: eagre.vander(tensor(2, 2)), ["vander()", "'x'", "[2, 2]"]
    ),
    ("vander", "negative"): mistake(lambda: eagre.vander(tensor(2), -1), ["vander()", "'N'", "-1"]),
    **{
        (op, "negative"): mistake(
            lambda op=op: getattr(eagre, op)(-1, 2), [f"{op}()", "'row'", "-1"]
        )
        for op in ("tril_indices", "triu_indices")
    },
    **{
        (op, "floats"): mistake(
            lambda op=op: getattr(eagre, op)(2, 2, dtype=eagre.float32),
            [f"{op}()", "float32"],
            eagre.UnimplementedError,
        )
        for op in ("tril_indices", "triu_indices")
    },
}
