"""Samples of ops/search.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import ALL, NAN, NUMBERS, Sample, make, strided, values

import eagre

REPEATED = np.asarray([[2, 0, 2], [1, 0, 1], [2, 0, 2]])


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


def coordinates(a):
    return np.argwhere(a != 0).astype(np.int64)


def nonzero():
    for dtype in ALL:
        a = values((3, 4), dtype)
        yield Sample((a,), coordinates(a))
    for shape in ((5,), (0,), (2, 0), (2, 1, 3)):
        a = make(shape, np.int64) // 7
        yield Sample((a,), coordinates(a))
    yield Sample((np.asarray(3.0),), np.zeros((1, 0), np.int64))
    yield Sample((np.asarray(0.0),), np.zeros((0, 0), np.int64))
    yield Sample((np.asarray([np.nan, 0.0, -0.0, np.inf]),), np.asarray([[0], [3]]))
    large = np.random.default_rng(0).integers(0, 3, (300, 400))
    yield Sample((large,), coordinates(large))
    yield Sample((strided((3, 2)),), coordinates(strided((3, 2))))
    yield Sample((large,), coordinates(large), {"as_tuple": False})


def nonzero_tuple():
    a = make((3, 4), np.int64) // 7
    yield Sample((a,), tuple(np.nonzero(a)), {"as_tuple": True})
    yield Sample((make((5,), np.float32),), (np.arange(5),), {"as_tuple": True})
    yield Sample((np.asarray(3),), (np.asarray([0]),), {"as_tuple": True})
    large = np.random.default_rng(0).integers(0, 3, (300, 400))
    yield Sample((large,), tuple(np.nonzero(large)), {"as_tuple": True})


def argwhere():
    for shape in ((3,), (2, 3), (0, 2)):
        a = make(shape, np.int64)
        yield Sample((a,), np.argwhere(a))
    yield Sample((np.asarray([True, False, True]),), np.asarray([[0], [2]]))


def isin():
    for dtype in NUMBERS:
        a, b = make((2, 3), dtype, 1), make((4,), dtype, 2)
        b[0] = a[1, 2]
        yield Sample((a, b), np.isin(a, b))
        yield Sample((a, b), np.isin(a, b, invert=True), {"invert": True})
    a, b = strided((3, 2), np.int64), make((2, 3), np.float32).round()
    yield Sample((a, b), np.isin(a, b), {"assume_unique": True})
    yield Sample((np.asarray([np.nan, np.inf, 1]), np.asarray([1, np.nan, np.inf])),
                 np.asarray([False, True, True]))  # fmt: skip
    large = np.asarray([2**63, 1], np.uint64)
    yield Sample((large, large[:1]), np.asarray([True, False]))
    yield Sample((make((3,)), make((0,))), np.zeros(3, np.bool_))
    yield Sample((make((0,)), make((3,))), np.zeros(0, np.bool_))
    yield Sample((make(()), make(())), np.asarray(True))


def isin_test_element():
    whole = np.asarray([1, 2, 3])
    yield Sample((whole, 2), whole == 2)
    yield Sample((whole, 2), whole != 2, {"invert": True})
    yield Sample((whole, 2.5), whole == 2.5)


def isin_element():
    whole = np.asarray([1, 2, 3])
    yield Sample((2, whole), np.asarray(True))
    yield Sample((2.5, whole), np.asarray(False))


BAD = {
    ("nonzero", "not_a_tensor"): (
        lambda: eagre.nonzero([1]),
        eagre.DTypeError,
        ["nonzero()", "list"],
    ),
    ("nonzero_tuple", "as_tuple"): (
        lambda: eagre.nonzero(tensor(2), as_tuple=1),
        eagre.DTypeError,
        ["nonzero()", "as_tuple=int"],
    ),
    ("unique", "dim_out_of_range"): mistake(
        lambda: tensor(2).unique(dim=1), ["unique()", "'dim'", "got 1"], eagre.IndexOutOfRangeError
    ),
    ("unique", "complex_numbers"): mistake(
        lambda: tensor(2, dtype=np.complex64).unique(),
        ["unique()", "complex64"],
        eagre.UnimplementedError,
    ),
    ("unique_consecutive", "dim_out_of_range"): mistake(
        lambda: tensor(2).unique_consecutive(dim=1),
        ["unique_consecutive()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError,
    ),
    ("searchsorted", "unknown_side"): mistake(
        lambda: eagre.searchsorted(tensor(2), tensor(2), side="middle"),
        ["searchsorted()", "'side'", "'middle'"],
    ),
    ("searchsorted", "sides_differ"): mistake(
        lambda: eagre.searchsorted(tensor(2), tensor(2), side="left", right=True),
        ["searchsorted()", "'side'", "opposites"],
    ),
    ("searchsorted", "zero_dim"): mistake(
        lambda: eagre.searchsorted(tensor(), tensor(2)), ["searchsorted()", "'sorted_sequence'"]
    ),
    ("searchsorted", "rows_differ"): mistake(
        lambda: eagre.searchsorted(tensor(2, 2), tensor(3, 2)),
        ["searchsorted()", "[2, 2]", "[3, 2]"],
    ),
    ("searchsorted", "sorter_of_another_shape"): mistake(
        lambda: eagre.searchsorted(tensor(2), tensor(2), sorter=integers(3)),
        ["searchsorted()", "'sorter'", "[2]", "[3]"],
    ),
    ("bucketize", "matrix"): mistake(
        lambda: eagre.bucketize(tensor(2), tensor(2, 2)), ["bucketize()", "'boundaries'", "[2, 2]"]
    ),
    ("argwhere", "not_a_tensor"): mistake(
        lambda: eagre.argwhere([1]), ["argwhere()", "'input'", "list"], eagre.DTypeError
    ),
    ("isin", "complex_numbers"): (
        lambda: eagre.isin(eagre.tensor([1j]), tensor(2)),
        eagre.UnimplementedError,
        ["isin()", "'elements'", "complex64"],
    ),
    ("isin", "bools"): (
        lambda: eagre.isin(tensor(2), tensor(2, dtype=np.bool_)),
        eagre.UnimplementedError,
        ["isin()", "'test_elements'", "bool"],
    ),
    ("isin", "out_of_another_dtype"): (
        lambda: eagre.isin(tensor(2), tensor(2), out=tensor(2)),
        eagre.InvalidArgumentError,
        ["isin()", "bool", "float32"],
    ),
    ("isin_test_element", "complex_numbers"): (
        lambda: eagre.isin(tensor(2), 1j),
        eagre.UnimplementedError,
        ["isin()", "'test_element'", "complex64"],
    ),
    ("isin_element", "complex_numbers"): (
        lambda: eagre.isin(1j, tensor(2)),
        eagre.UnimplementedError,
        ["isin()", "'element'", "complex64"],
    ),
}


def nonzero_static():
    a = np.asarray([[1, 0, 3], [0, 5, 0]])
    found = np.argwhere(a)
    for dtype in (np.int64, np.float32, np.bool_):
        for size in (0, 2, 3, 5):
            rest = np.full((max(size - 3, 0), 2), 7)
            expected = np.concatenate([found[:size], rest])
            yield Sample((a.astype(dtype),), expected, {"size": size, "fill_value": 7})
    yield Sample((np.asarray(1.0),), np.zeros((2, 0), np.int64), {"size": 2})


BAD |= {
    ("nonzero_static", "negative_size"): (
        lambda: eagre.nonzero_static(eagre.ones(2), size=-1),
        eagre.InvalidArgumentError,
        ["nonzero_static()", "'size'", "-1"],
    ),
}
