"""Samples of ops/reduction.yaml."""

import numpy as np
from mistakes import (
    complex_numbers,
    dim_out_of_range,
    integers,
    refused_call,
    refuses_integers,
    tensor,
)
from samples import COMPLEX, DTYPES, FLOATS, NAN, SHAPES, WITH_NAN, Sample, make, strided

import eagre


def sum():  # noqa: A001  the operator's name
    for dtype in DTYPES:
        for shape in SHAPES:
            a = make(shape, dtype)
            yield Sample((a,), summed(a))
    a = make((2, 3, 4))
    for dim in (0, 1, -1, (0, 2), [1], (-1, 0, 1)):
        axis = tuple(dim) if isinstance(dim, list) else dim
        yield Sample((a, dim), a.sum(axis))
        yield Sample((a,), a.sum(axis, keepdims=True), {"dim": dim, "keepdim": True})
    yield Sample((a, ()), a.sum())
    b = strided((3, 2))
    yield Sample((b, 0), b.sum(0))
    yield Sample((make((0, 3)), 0), np.zeros(3))
    yield Sample((make((3, 0)), 1), np.zeros(3))
    whole = make((4,), np.int64)
    yield Sample((whole,), np.asarray(whole.sum(), np.float64), {"dtype": eagre.float64})
    long = make((4099,), np.float32)
    yield Sample((long,), np.asarray(long.astype(np.float64).sum(), np.float32))


def summed(a):
    whole = not np.issubdtype(a.dtype, np.floating)
    # Halves are summed in float, as NumPy does not.
    return np.asarray(a.sum(dtype=np.int64 if whole else np.float64)).astype(
        np.int64 if whole else a.dtype
    )


def sum_to_size():
    a = make((2, 3, 4))
    yield Sample((a, (3, 4)), a.sum(0))
    yield Sample((a, (2, 1, 4)), a.sum(1, keepdims=True))
    yield Sample((a, (1, 4)), a.sum((0, 1)).reshape(1, 4))
    yield Sample((a, (2, 3, 4)), a)
    yield Sample((make((2, 0)), (1, 0)), np.zeros((1, 0)))
    yield Sample((make(()), ()), make(()))


def count_nonzero():
    for dtype in (np.bool_, np.uint8, np.int64, np.float32, np.complex64):
        a = make((2, 3, 2), dtype) * np.asarray([0, 1], dtype)
        yield Sample((a,), np.asarray(np.count_nonzero(a)))
        for dim in (0, -1):
            yield Sample((a, dim), np.count_nonzero(a, dim))
        yield Sample((a,), np.count_nonzero(a, (0, 2)), {"dim": (0, 2)})
    yield Sample((make((0, 2)), 0), np.zeros(2, np.int64))


DIMS = (0, 1, -1, (0, 2), [1], (-1, 0, 1))


def axes(dim):
    return tuple(dim) if isinstance(dim, list) else dim


def over_dims(compute, shape=(2, 3, 2), seed=0):
    """All kinds of `dim`, and keepdim."""
    a = make(shape, seed=seed)
    for dim in DIMS:
        yield Sample((a, dim), compute(a, axis=axes(dim)))
        expected = compute(a, axis=axes(dim), keepdims=True)
        yield Sample((a,), expected, {"dim": dim, "keepdim": True})
    yield Sample((a, None), np.asarray(compute(a)))
    b = strided((3, 2), seed=seed)
    yield Sample((b, 0), compute(b, axis=0))
    yield Sample((b, 1), compute(b, axis=1))
    wide = np.lib.stride_tricks.as_strided(make((3, 1), seed=seed), (3, 2), (8, 0))
    yield Sample((wide, 0), compute(wide, axis=0))


def mean():
    for dtype in FLOATS:
        for shape in SHAPES:
            a = make(shape, dtype)
            with np.errstate(all="ignore"):
                yield Sample((a,), np.asarray(a.sum() / dtype(a.size)).astype(dtype))
    half = make((2, 3), np.float16)
    yield Sample((half,), np.asarray(half.astype(np.float32).mean()).astype(np.float16))
    yield from over_dims(np.mean)
    whole = make((4,), np.int64)
    yield Sample((whole,), np.asarray(whole.mean()), {"dtype": eagre.float64})
    yield Sample((make((0, 3)), 0), np.full(3, np.nan))
    yield Sample((np.asarray([1.0, np.nan]),), np.asarray(np.nan))


def prod():
    for dtype in DTYPES:
        a = make((2, 3), dtype)
        whole = not np.issubdtype(dtype, np.floating)
        wide = np.int64 if whole else np.float64
        yield Sample((a,), np.asarray(a.prod(dtype=wide)).astype(np.int64 if whole else dtype))
    for shape in SHAPES:
        yield Sample((make(shape),), np.asarray(make(shape).prod()))
    yield from over_dims(np.prod)
    for zeros in ([0], [1, 2], [0, 1, 2]):
        a = make((3,), seed=4)
        a[zeros] = 0
        yield Sample((a,), np.asarray(a.prod()))
        b = make((2, 3), seed=5)
        b[0, zeros] = 0
        yield Sample((b, 1), b.prod(1))
        yield Sample((b,), np.asarray(b.prod()))
    yield Sample((make((0, 3)), 0), np.ones(3))
    half = make((3,), np.float32)
    yield Sample((half,), np.asarray(half.astype(np.float64).prod()), {"dtype": eagre.float64})


def _all_or_any(compute):
    for dtype in DTYPES:
        a = make((3, 4), dtype)
        a[1, 2] = 0
        kind = np.uint8 if dtype is np.uint8 else np.bool_
        yield Sample((a,), np.asarray(compute(a)).astype(kind))
        yield Sample((a, 1), np.asarray(compute(a, axis=1)).astype(kind))
    yield Sample((make((2, 3), np.int32), []), make((2, 3), np.int32) != 0)
    yield from over_dims(compute)
    for shape in SHAPES:
        yield Sample((make(shape, np.bool_),), np.asarray(compute(make(shape, np.bool_))))
    yield Sample((np.asarray([np.nan, 0.5]),), np.asarray(True))


def all():  # noqa: A001  the operator's name
    yield from _all_or_any(np.all)


def any():  # noqa: A001  the operator's name
    yield from _all_or_any(np.any)


def logsumexp():
    def compute(a, axis=None, keepdims=False):
        return np.log(np.exp(a).sum(axis=axis, keepdims=keepdims))

    yield from over_dims(compute)
    yield Sample((make((3,), np.float32), 0), np.asarray(compute(make((3,), np.float32))))
    whole = make((3,), np.int64)
    yield Sample((whole, 0), np.asarray(compute(whole)).astype(np.float32))
    yield Sample((np.asarray([1e4, 1e4]), 0), np.asarray(1e4 + np.log(2)))
    yield Sample((np.asarray([-np.inf, -np.inf]), 0), np.asarray(-np.inf))
    yield Sample((np.asarray([np.inf, 1]), 0), np.asarray(np.inf))
    yield Sample((make((0, 2)), 0), np.full(2, -np.inf))
    for dtype in COMPLEX:
        a = make((2, 3, 2), dtype)
        for dim in (0, 1, -1, [0, 2]):
            yield Sample((a, dim), compute(a, tuple(dim) if isinstance(dim, list) else dim))
        a = strided((3, 2), dtype)
        yield Sample((a, 0, True), compute(a, 0, True))
        yield Sample((make((), dtype), 0), make((), dtype))
        yield Sample((make((0, 2), dtype), 0), np.full(2, -np.inf, dtype))
    yield Sample((np.asarray([1e4 + 1j, 1e4 + 1j]), 0), np.asarray(1e4 + 1j + np.log(2)))
    yield Sample((np.asarray([-np.inf + 0j, 1j]), 0), np.asarray(1j))


def dim_twice(name):
    return (
        lambda: getattr(eagre, name)(tensor(2, 3), (0, -2)),
        eagre.InvalidArgumentError,
        [f"{name}()", "'dim'"],
    )


def nansum():
    for dtype in FLOATS:
        a = WITH_NAN.astype(dtype)
        yield Sample((a,), np.asarray(np.nansum(a)))
        yield Sample((a, 1), np.nansum(a, 1))
        yield Sample((a, (0, 1), True), np.nansum(a, keepdims=True))
    whole = make((3,), np.int32)
    yield Sample((whole,), np.asarray(whole.sum(dtype=np.int64)))
    yield Sample((make((3,)),), np.asarray(make((3,)).sum()))


def nanmean():
    for dtype in FLOATS:
        a = WITH_NAN[[0, 2]].astype(dtype)
        yield Sample((a,), np.asarray(np.nanmean(a)))
        yield Sample((a, 1), np.nanmean(a, 1))
        yield Sample((a, 0, True), np.nanmean(a, 0, keepdims=True))
    yield Sample((WITH_NAN[1],), np.asarray(NAN))
    yield Sample((make((2, 2)),), np.asarray(make((2, 2)).mean()))


BAD = {
    ("sum", "dim_out_of_range"): (
        lambda: eagre.sum(tensor(2, 3), 2),
        eagre.IndexOutOfRangeError,
        ["sum()", "'dim'", "range of [-2, 1]"],
    ),
    ("sum", "dim_twice"): (
        lambda: eagre.sum(tensor(2, 3), (0, -2)),
        eagre.InvalidArgumentError,
        ["sum()", "'dim'"],
    ),
    ("sum_to_size", "not_a_smaller_shape"): (
        lambda: tensor(2, 3).sum_to_size(2, 2),
        eagre.InvalidArgumentError,
        ["sum_to_size()", "[2, 3]", "[2, 2]"],
    ),
    ("count_nonzero", "dim_out_of_range"): refused_call(
        "count_nonzero", tensor(3), 3, kind=eagre.IndexOutOfRangeError, words=["'dim'", "3"]
    ),
    ("mean", "integers"): refuses_integers("mean"),
    **{
        (n, "dim_out_of_range"): dim_out_of_range(n)
        for n in ("mean", "prod", "all", "any", "logsumexp")
    },
    **{(n, "dim_twice"): dim_twice(n) for n in ("prod", "all", "any")},
    ("nansum", "complex_numbers"): (
        lambda: eagre.nansum(complex_numbers(2)),
        eagre.UnimplementedError,
        ["nansum()", "complex64"],
    ),
    ("nansum", "dim_out_of_range"): (
        lambda: eagre.nansum(tensor(2), 1),
        eagre.IndexOutOfRangeError,
        ["nansum()", "'dim'", "got 1"],
    ),
    ("nanmean", "integers"): (
        lambda: eagre.nanmean(integers(2)),
        eagre.InvalidArgumentError,
        ["nanmean()", "int64"],
    ),
    ("nanmean", "dim_out_of_range"): (
        lambda: eagre.nanmean(tensor(2), 1),
        eagre.IndexOutOfRangeError,
        ["nanmean()", "got 1"],
    ),
}
