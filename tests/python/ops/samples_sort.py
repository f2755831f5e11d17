"""Samples of sorting."""

import numpy as np
from samples import DTYPES, Sample, _t, make, strided

import eagre

SPECIAL = np.asarray([2.0, np.nan, -np.inf, 0.0, -0.0, np.inf, np.nan, -1.0])


def order(a, dim, descending):
    """NumPy puts NaN last; the other way round, equal elements must still keep their order."""
    if not descending:
        return np.argsort(a, axis=dim, kind="stable")
    turned = np.argsort(np.flip(a, dim), axis=dim, kind="stable")
    return np.flip(a.shape[dim] - 1 - turned, dim)


def arrays():
    for dtype in DTYPES:
        yield make((3, 4), dtype), -1
        yield make((3, 4), dtype), 0
    yield make((2, 3, 2)), 1
    yield strided((3, 2)), 0
    yield np.lib.stride_tricks.as_strided(make((3, 1), np.float32), (3, 2), (4, 0)), 1
    yield make((0, 2)), 0
    yield make((2, 0)), 0
    yield np.asarray([2, 1, 2, 1, 2]), 0
    yield SPECIAL, 0
    yield SPECIAL.astype(np.float32), 0
    for dtype in (np.float32, np.float64, np.int64, np.int32, np.uint8, np.bool_):
        yield make((3, 700), dtype), 1
    yield np.asarray([2**63 + 1, 1, 2**63], np.uint64), 0


def sort():
    for a, dim in arrays():
        for descending in (False, True):
            places = order(a, dim, descending)
            expected = (np.take_along_axis(a, places, dim), places)
            yield Sample((a, dim, descending), expected, {"stable": True})
    yield Sample((make((3, 4)),), (np.sort(make((3, 4))), np.argsort(make((3, 4)))))
    yield Sample((make(()),), (make(()), np.asarray(0)))


def argsort():
    for a, dim in arrays():
        for descending in (False, True):
            yield Sample((a, dim), order(a, dim, descending), {"descending": descending})
    yield Sample((make(()),), np.asarray(0))


def topk():
    for a, dim in arrays():
        for k in sorted({0, min(2, a.shape[dim]), a.shape[dim]}):
            for largest in (True, False):
                places = np.take(order(a, dim, largest), range(k), dim)
                expected = (np.take_along_axis(a, places, dim), places)
                yield Sample((a, k, dim, largest), expected)
    yield Sample((make(()), 1), (make(()), np.asarray(0)))


REAL = [d for d in DTYPES if d is not np.bool_]


def isin():
    for dtype in REAL:
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
    ("isin", "complex_numbers"): (
        lambda: eagre.isin(eagre.tensor([1j]), _t(2)), eagre.UnimplementedError,
        ["isin()", "'elements'", "complex64"]),
    ("isin", "bools"): (
        lambda: eagre.isin(_t(2), _t(2, dtype=np.bool_)), eagre.UnimplementedError,
        ["isin()", "'test_elements'", "bool"]),
    ("isin", "out_of_another_dtype"): (
        lambda: eagre.isin(_t(2), _t(2), out=_t(2)), eagre.InvalidArgumentError,
        ["isin()", "bool", "float32"]),
    ("isin_test_element", "complex_numbers"): (
        lambda: eagre.isin(_t(2), 1j), eagre.UnimplementedError,
        ["isin()", "'test_element'", "complex64"]),
    ("isin_element", "complex_numbers"): (
        lambda: eagre.isin(1j, _t(2)), eagre.UnimplementedError,
        ["isin()", "'element'", "complex64"]),
    **{(n, "dim_out_of_range"): (
        lambda n=n: getattr(eagre, n)(_t(2, 3), dim=2), eagre.IndexOutOfRangeError,
        [f"{n}()", "'dim'", "-2 to 1"]) for n in ("sort", "argsort")},
    ("sort", "complex_numbers"): (
        lambda: eagre.sort(eagre.tensor([1j])), eagre.UnimplementedError, ["sort()", "complex64"]),
    ("topk", "dim_out_of_range"): (
        lambda: eagre.topk(_t(2, 3), 1, 2), eagre.IndexOutOfRangeError,
        ["topk()", "'dim'", "-2 to 1"]),
    ("topk", "k_too_large"): (
        lambda: eagre.topk(_t(2, 3), 4), eagre.InvalidArgumentError,
        ["topk()", "'k'", "0 to 3", "4"]),
}  # fmt: skip
