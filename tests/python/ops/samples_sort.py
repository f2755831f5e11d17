"""Samples of ops/sort.yaml."""

import numpy as np
from mistakes import complex_numbers, integers, tensor
from samples import DTYPES, FLOATS, Sample, make, strided

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


def kthvalue():
    for dtype in (*FLOATS, np.int64):
        a = make((2, 4), dtype)
        order = a.argsort(1, kind="stable")
        for k in (1, 3):
            places = order[:, k - 1]
            values = np.take_along_axis(a, places[:, None], 1)
            yield Sample((a, k), (values[:, 0], places))
            yield Sample((a, k, 1, True), (values, places[:, None]))
    yield Sample((make(()), 1), (make(()), np.asarray(0)))


def msort():
    for dtype in (*FLOATS, np.int64, np.bool_):
        for shape in ((4,), (3, 2), (), (0, 2)):
            a = make(shape, dtype)
            yield Sample((a,), np.sort(a, 0) if shape else a)


BAD = {
    **{
        (n, "dim_out_of_range"): (
            lambda n=n: getattr(eagre, n)(tensor(2, 3), dim=2),
            eagre.IndexOutOfRangeError,
            [f"{n}()", "'dim'", "range of [-2, 1]"],
        )
        for n in ("sort", "argsort")
    },
    ("sort", "complex_numbers"): (
        lambda: eagre.sort(eagre.tensor([1j])),
        eagre.UnimplementedError,
        ["sort()", "complex64"],
    ),
    ("topk", "dim_out_of_range"): (
        lambda: eagre.topk(tensor(2, 3), 1, 2),
        eagre.IndexOutOfRangeError,
        ["topk()", "'dim'", "range of [-2, 1]"],
    ),
    ("topk", "k_too_large"): (
        lambda: eagre.topk(tensor(2, 3), 4),
        eagre.InvalidArgumentError,
        ["topk()", "'k'", "0 to 3", "4"],
    ),
    ("kthvalue", "k_too_large"): (
        lambda: tensor(2).kthvalue(3),
        eagre.InvalidArgumentError,
        ["kthvalue()", "'k'", "to 2", "3"],
    ),
    ("kthvalue", "k_too_small"): (
        lambda: tensor(2).kthvalue(0),
        eagre.InvalidArgumentError,
        ["kthvalue()", "'k'", "to 2", "0"],
    ),
    ("kthvalue", "dim_out_of_range"): (
        lambda: tensor(2).kthvalue(1, 1),
        eagre.IndexOutOfRangeError,
        ["kthvalue()", "'dim'", "got 1"],
    ),
    ("kthvalue", "out_overlaps"): (
        lambda: (lambda x: eagre.kthvalue(x, 1, out=(x, integers())))(tensor(2)),
        eagre.InvalidArgumentError,
        ["kthvalue()", "'out'"],
    ),
    ("msort", "complex_numbers"): (
        lambda: eagre.msort(complex_numbers(2)),
        eagre.UnimplementedError,
        ["msort()", "complex64"],
    ),
}
