"""Samples of distinct values, counts and places in an order."""

import numpy as np
from samples import Sample, _t, make

import eagre

REPEATED = np.asarray([[2, 0, 2], [1, 0, 1], [2, 0, 2]])
NAN = float("nan")


def _ranks(a):
    return a.reshape(-1).argsort().argsort().reshape(a.shape)


def unique():
    for dtype in (np.int64, np.uint8, np.float32, np.bool_):
        a = REPEATED.astype(dtype)
        values, inverse, counts = np.unique(a, return_inverse=True, return_counts=True)
        inverse = inverse.reshape(a.shape)
        yield Sample((a,), values)
        yield Sample((a,), (values, inverse), {"return_inverse": True})
        yield Sample((a,), (values, counts), {"return_counts": True})
        yield Sample((a, True, True, True), (values, inverse, counts))
        for axis in (0, 1):
            rows, inverse, counts = np.unique(a, return_inverse=True, return_counts=True, axis=axis)
            yield Sample((a,), rows, {"dim": axis})
            yield Sample((a, True, True, True, axis), (rows, inverse.reshape(-1), counts))
    deep = np.random.default_rng(0).integers(0, 2, (6, 2, 2))
    yield Sample((deep,), np.unique(deep, axis=0), {"dim": 0})
    yield Sample((make((2, 3)), True, True), (np.sort(make((2, 3)), None), _ranks(make((2, 3)))))
    yield Sample((make((3, 2)),), make((3, 2))[make((3, 2))[:, 0].argsort()], {"dim": 0})
    yield Sample((np.asarray([NAN, 1.0, NAN]),), np.asarray([1.0, NAN, NAN]))
    yield Sample((np.zeros((0,)), True, True, True),
                 (np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)))  # fmt: skip
    yield Sample((np.asarray(3),), np.asarray([3]))


def unique_consecutive():
    for dtype in (np.int64, np.float32, np.bool_):
        a = np.asarray([1, 1, 0, 1, 1, 1], dtype)
        values = np.asarray([1, 0, 1], dtype)
        inverse, counts = np.asarray([0, 0, 1, 2, 2, 2]), np.asarray([2, 1, 3])
        yield Sample((a,), values)
        yield Sample((a, True, True), (values, inverse, counts))
    rows = REPEATED[[0, 2, 1]]
    yield Sample((rows, True, True, 0), (REPEATED[:2], np.asarray([0, 0, 1]), np.asarray([2, 1])))
    yield Sample((make((4,)), True), (make((4,)), np.arange(4)))
    yield Sample((np.zeros((0,)), False, True), (np.zeros(0), np.zeros(0, np.int64)))


def bincount():
    for dtype in (np.int64, np.uint8, np.int32):
        a = np.asarray([1, 3, 1, 0], dtype)
        yield Sample((a,), np.bincount(a))
        yield Sample((a, None, 6), np.bincount(a, minlength=6))
    a, weights = np.asarray([1, 3, 1, 0]), make((4,))
    yield Sample((a, weights), np.bincount(a, weights))
    narrow = weights.astype(np.float32)
    yield Sample((a, narrow), np.bincount(a, narrow).astype(np.float32))
    yield Sample((a, a), np.bincount(a, a))
    yield Sample((np.zeros(0, np.int64), None, 2), np.zeros(2, np.int64))


def searchsorted():
    for dtype in (np.float64, np.float32, np.int64):
        rows, values = np.asarray([0, 2, 2, 5], dtype), np.asarray([[-1, 2, 3], [0, 5, 9]], dtype)
        for right in (False, True):
            side = "right" if right else "left"
            found = np.searchsorted(rows, values, side)
            yield Sample((rows, values), found, {"right": right})
            yield Sample((rows, values), found, {"side": side})
    rows = np.asarray([[0.0, 1.0], [2.0, 3.0]])
    values = np.asarray([[0.5], [9.0]])
    yield Sample((rows, values), np.asarray([[1], [2]]))
    yield Sample((rows, values), np.asarray([[1], [2]], np.int32), {"out_int32": True})
    yield Sample((rows[0], 0.5), np.asarray(1))
    yield Sample((np.asarray([1, 3]), 1.5), np.asarray(1))
    yield Sample((rows[0], np.asarray([NAN])), np.asarray([2]))
    order = np.asarray([1, 0])
    yield Sample((rows[0][::-1].copy(), np.asarray([0.5])), np.asarray([1]),
                 {"sorter": eagre.tensor(order)})  # fmt: skip
    yield Sample((np.zeros(0), np.asarray([1.0])), np.asarray([0]))


def bucketize():
    edges = np.asarray([1.0, 3.0, 5.0])
    values = np.asarray([[0.0, 1.0], [4.0, 9.0]])
    yield Sample((values, edges), np.searchsorted(edges, values))
    yield Sample((values, edges), np.searchsorted(edges, values, "right").astype(np.int32),
                 {"right": True, "out_int32": True})  # fmt: skip
    yield Sample((2, edges), np.asarray(1))


def _whole(*shape):
    return _t(*shape, dtype=np.int64)


def _bad(call, words, kind=None):
    return call, kind or eagre.InvalidArgumentError, words


BAD = {
    ("unique", "dim_out_of_range"): _bad(
        lambda: _t(2).unique(dim=1), ["unique()", "'dim'", "got 1"], eagre.IndexOutOfRangeError),
    ("unique", "complex_numbers"): _bad(
        lambda: _t(2, dtype=np.complex64).unique(), ["unique()", "complex64"],
        eagre.UnimplementedError),
    ("unique_consecutive", "dim_out_of_range"): _bad(
        lambda: _t(2).unique_consecutive(dim=1), ["unique_consecutive()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError),
    ("bincount", "floats"): _bad(lambda: _t(2).bincount(), ["bincount()", "'input'", "float32"]),
    ("bincount", "matrix"): _bad(
        lambda: _whole(2, 2).bincount(), ["bincount()", "'input'", "[2, 2]"]),
    ("bincount", "negative"): _bad(
        lambda: eagre.tensor([1, -1]).bincount(), ["bincount()", "'input'", "negative"]),
    ("bincount", "negative_length"): _bad(
        lambda: eagre.tensor([1]).bincount(minlength=-1), ["bincount()", "'minlength'", "-1"]),
    ("bincount", "lengths_differ"): _bad(
        lambda: eagre.tensor([1]).bincount(_t(2)), ["bincount()", "'weights'", "[1]", "[2]"]),
    ("searchsorted", "unknown_side"): _bad(
        lambda: eagre.searchsorted(_t(2), _t(2), side="middle"),
        ["searchsorted()", "'side'", "'middle'"]),
    ("searchsorted", "sides_differ"): _bad(
        lambda: eagre.searchsorted(_t(2), _t(2), side="left", right=True),
        ["searchsorted()", "'side'", "opposites"]),
    ("searchsorted", "zero_dim"): _bad(
        lambda: eagre.searchsorted(_t(), _t(2)), ["searchsorted()", "'sorted_sequence'"]),
    ("searchsorted", "rows_differ"): _bad(
        lambda: eagre.searchsorted(_t(2, 2), _t(3, 2)), ["searchsorted()", "[2, 2]", "[3, 2]"]),
    ("searchsorted", "dtypes_differ"): _bad(
        lambda: eagre.searchsorted(_t(2), _whole(2)), ["searchsorted()", "float32", "int64"]),
    ("searchsorted", "sorter_of_another_shape"): _bad(
        lambda: eagre.searchsorted(_t(2), _t(2), sorter=_whole(3)),
        ["searchsorted()", "'sorter'", "[2]", "[3]"]),
    ("bucketize", "matrix"): _bad(
        lambda: eagre.bucketize(_t(2), _t(2, 2)), ["bucketize()", "'boundaries'", "[2, 2]"]),
    ("multinomial", "integers"): _bad(
        lambda: _whole(2).multinomial(1), ["multinomial()", "'input'", "int64"]),
    ("multinomial", "out_of_floats"): _bad(
        lambda: eagre.multinomial(eagre.ones(2), 1, out=_t(1)),
        ["multinomial()", "'out'", "int64", "float32"]),
    ("multinomial", "too_many_dimensions"): _bad(
        lambda: _t(2, 2, 2).multinomial(1), ["multinomial()", "'input'", "[2, 2, 2]"]),
    ("multinomial", "no_samples"): _bad(
        lambda: eagre.ones(2).multinomial(0), ["multinomial()", "'num_samples'", "0"]),
    ("multinomial", "too_many"): _bad(
        lambda: eagre.ones(2).multinomial(3), ["multinomial()", "'num_samples'", "3"]),
    ("multinomial", "negative"): _bad(
        lambda: eagre.tensor([-1.0, 2.0]).multinomial(1), ["multinomial()", "element < 0"]),
    ("multinomial", "all_zero"): _bad(
        lambda: eagre.zeros(2).multinomial(1), ["multinomial()", "an invalid distribution"]),
}  # fmt: skip
