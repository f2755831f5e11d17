"""Samples of reductions: every dtype, no elements, 0-dim, strided, NaN, and lists of dimensions."""

import numpy as np
from samples import COMPLEX, DTYPES, FLOATS, SHAPES, Sample, _t, make, strided

import eagre

INTEGERS = [np.uint8, np.int8, np.int16, np.int32, np.int64]
REAL = [np.bool_, *INTEGERS, np.float16, np.float32, np.float64]
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


def _extreme(compute):
    for dtype in REAL:
        for shape in SHAPES:
            a = make(shape, dtype)
            if a.size:
                yield Sample((a,), np.asarray(compute(a)))
        yield Sample((make((3, 4), dtype), 1), compute(make((3, 4), dtype), axis=1))
    yield from over_dims(compute)
    yield Sample((make((0, 3)), 1), np.zeros(0))
    for dtype in FLOATS:
        a = np.asarray([[1, np.nan, 2], [np.inf, -np.inf, 0]], dtype)
        yield Sample((a, 1), compute(a, axis=1))
    long = make((4099,), np.float32)
    yield Sample((long,), np.asarray(compute(long)))


def amax():
    yield from _extreme(np.max)


def amin():
    yield from _extreme(np.min)


def _all_elements(compute):
    for dtype in REAL:
        yield Sample((make((2, 3), dtype),), np.asarray(compute(make((2, 3), dtype))))
    yield Sample((make(()),), make(()))
    yield Sample((strided((3, 2)),), np.asarray(compute(strided((3, 2)))))
    yield Sample((np.asarray([np.nan, 1.0]),), np.asarray(np.nan))


def max_all():
    yield from _all_elements(np.max)


def min_all():
    yield from _all_elements(np.min)


def _two(compute):
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    yield Sample((a, b), compute(a, b))
    yield Sample((a,), compute(a, 0.5), {"other": eagre.tensor(0.5, dtype=eagre.float64)})
    whole = make((3,), np.int64)
    yield Sample((whole, make((), np.int64)), compute(whole, make((), np.int64)))


def max_other():
    yield from _two(np.maximum)


def min_other():
    yield from _two(np.minimum)


def cumsum_inplace():
    for dtype in (np.float64, np.float32, np.int64, np.int32):
        a = make((3, 4), dtype)
        yield Sample((a, 1), a.cumsum(1, dtype=dtype))
    yield Sample((strided((3, 2)), -2), strided((3, 2)).cumsum(0))
    yield Sample((make(()), 0), make(()))


def _with_places(compute, place):
    def sample(a, dim, keep=False):
        values = compute(a, axis=dim, keepdims=keep)
        places = place(a, axis=dim, keepdims=keep)
        return Sample((a, dim), (values, places), {"keepdim": True} if keep else {})

    for dtype in REAL:
        for dim in (0, 1, -1):
            yield sample(make((3, 4), dtype), dim)
    yield sample(make((2, 3, 2)), 1)
    yield sample(make((2, 3, 2)), -2, keep=True)
    yield sample(strided((3, 2)), 0)
    yield sample(np.asarray([[1.0, 1.0, 0.0], [np.nan, 2.0, np.nan]]), 1)
    yield sample(make((3, 0)), 0)
    yield Sample((make(()), 0), (make(()), np.asarray(0)))


def max_dim():
    yield from _with_places(np.max, np.argmax)


def min_dim():
    yield from _with_places(np.min, np.argmin)


def _places(place):
    for dtype in REAL[1:]:
        for dim in (0, -1):
            yield Sample((make((3, 4), dtype), dim), place(make((3, 4), dtype), axis=dim))
        yield Sample((make((2, 3), dtype),), np.asarray(place(make((2, 3), dtype))))
    a = make((2, 3, 2))
    yield Sample((a,), place(a, axis=1, keepdims=True), {"dim": 1, "keepdim": True})
    yield Sample((a,), np.asarray(place(a)).reshape(1, 1, 1), {"keepdim": True})
    yield Sample((strided((3, 2)),), np.asarray(place(strided((3, 2)))))
    yield Sample((strided((3, 2)), 0), place(strided((3, 2)), axis=0))
    yield Sample((np.asarray([1.0, np.nan, 3.0, np.nan]), 0), np.asarray(1))
    yield Sample((np.asarray([2, 1, 2, 1]),), np.asarray(place(np.asarray([2, 1, 2, 1]))))
    yield Sample((make((3, 0)), 0), np.zeros(0, np.int64))
    yield Sample((make(()),), np.asarray(0))


def argmax():
    yield from _places(np.argmax)


def argmin():
    yield from _places(np.argmin)


def _truth(compute):
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
    yield from _truth(np.all)


def any():  # noqa: A001  the operator's name
    yield from _truth(np.any)


def _spread(compute):
    for dtype in FLOATS:
        yield Sample((make((3, 4), dtype),), np.asarray(compute(make((3, 4), dtype), ddof=1)))
    for dtype in COMPLEX:
        z = make((3, 4), dtype)
        yield Sample((z,), np.asarray(compute(z, ddof=1)))
        yield Sample((z.T, 0), compute(z.T, axis=0, ddof=1))
    half = make((3, 4), np.float16)
    yield Sample((half,), np.asarray(compute(half.astype(np.float64), ddof=1)).astype(np.float16))
    a = make((2, 3, 2))
    for dim in DIMS:
        yield Sample((a, dim), compute(a, axis=axes(dim), ddof=1))
        expected = compute(a, axis=axes(dim), keepdims=True)
        yield Sample((a, dim), expected, {"correction": 0, "keepdim": True})
    yield Sample((a, None), np.asarray(compute(a, ddof=0.5)), {"correction": 0.5})
    yield Sample((strided((3, 2)), 1), compute(strided((3, 2)), axis=1, ddof=1))
    yield Sample((make((1,)),), np.asarray(np.nan))
    yield Sample((make((0, 2)), 0), np.full(2, np.nan))


def var():
    yield from _spread(np.var)


def std():
    yield from _spread(np.std)


def _unbiased(compute):
    a = make((2, 3))
    yield Sample((a, True), np.asarray(compute(a, ddof=1)))
    yield Sample((a,), np.asarray(compute(a)), {"unbiased": False})


def var_unbiased():
    yield from _unbiased(np.var)


def std_unbiased():
    yield from _unbiased(np.std)


def _dim_unbiased(compute):
    a = make((2, 3))
    yield Sample((a, 0, True), compute(a, axis=0, ddof=1))
    yield Sample((a, (1,), False, True), compute(a, axis=1, keepdims=True))


def var_dim_unbiased():
    yield from _dim_unbiased(np.var)


def std_dim_unbiased():
    yield from _dim_unbiased(np.std)


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


def cumsum():
    for dtype in DTYPES:
        a = make((3, 4), dtype)
        whole = not np.issubdtype(dtype, np.floating)
        wide = a.cumsum(1, dtype=np.int64 if whole else np.float64)
        yield Sample((a, 1), wide.astype(np.int64 if whole else dtype))
    a = make((2, 3, 2))
    for dim in (0, 1, -1):
        yield Sample((a, dim), a.cumsum(dim))
    yield Sample((strided((3, 2)), 0), strided((3, 2)).cumsum(0))
    yield Sample((make(()), 0), make(()))
    yield Sample((make((0, 2)), 0), np.zeros((0, 2)))
    whole = make((3,), np.int64)
    yield Sample((whole, 0), whole.cumsum(0).astype(np.float32), {"dtype": eagre.float32})


def _bad_dim(name):
    return (
        lambda: getattr(eagre, name)(_t(2, 3), 2),
        eagre.IndexOutOfRangeError,
        [f"{name}()", "'dim'", "-2 to 1"],
    )


def _twice(name):
    return (
        lambda: getattr(eagre, name)(_t(2, 3), (0, -2)),
        eagre.InvalidArgumentError,
        [f"{name}()", "'dim'"],
    )


def _whole(name, *more):
    return (
        lambda: getattr(eagre, name)(_t(2, 3, dtype=np.int64), *more),
        eagre.UnimplementedError,
        [f"{name}()", "int64"],
    )


def _empty(name):
    return (
        lambda: getattr(eagre, name)(_t(0, 3)),
        eagre.InvalidArgumentError,
        [f"{name}()", "'input'", "[0, 3]"],
    )


def _empty_dim(name):
    return (
        lambda: getattr(eagre, name)(_t(0, 3), 0),
        eagre.IndexOutOfRangeError,
        [f"{name}()", "'dim'", "[0, 3]"],
    )


BAD = {
    ("mean", "integers"): _whole("mean"),
    ("var", "integers"): _whole("var"),
    ("std", "integers"): _whole("std"),
    ("var_unbiased", "integers"): _whole("var", True),
    ("std_unbiased", "integers"): _whole("std", True),
    ("max_all", "nothing_to_reduce"): _empty("max"),
    ("min_all", "nothing_to_reduce"): _empty("min"),
    ("max_dim", "dim_out_of_range"): _bad_dim("max"),
    ("min_dim", "dim_out_of_range"): _bad_dim("min"),
    ("max_dim", "dim_of_size_zero"): _empty_dim("max"),
    ("min_dim", "dim_of_size_zero"): _empty_dim("min"),
    **{(f"{n}_dim_unbiased", "dim_out_of_range"): (
        lambda n=n: getattr(eagre, n)(_t(2, 3), 2, True), eagre.IndexOutOfRangeError,
        [f"{n}()", "'dim'", "-2 to 1"]) for n in ("var", "std")},
    **{(n, "dim_out_of_range"): _bad_dim(n)
       for n in ("mean", "prod", "all", "any", "var", "std", "logsumexp", "cumsum")},
    **{(n, "dim_twice"): _twice(n) for n in ("prod", "all", "any")},
    **{(n, "nothing_to_reduce"): _empty(n) for n in ("amax", "amin", "argmax", "argmin")},
    **{(n, "dim_of_size_zero"): _empty_dim(n) for n in ("amax", "amin", "argmax", "argmin")},
}  # fmt: skip

for _op in ("max", "min"):
    BAD[f"{_op}_other", "shapes_do_not_broadcast"] = (
        lambda op=_op: getattr(eagre, op)(_t(3), _t(2)),
        eagre.InvalidArgumentError,
        [f"{_op}imum()", "[3]", "[2]"],
    )
    BAD[f"a{_op}", "out_of_another_dtype"] = (
        lambda op=_op: getattr(eagre, f"a{op}")(_t(3), 0, out=_t(dtype=np.float64)),
        eagre.InvalidArgumentError,
        [f"a{_op}()", "'out'", "float32", "float64"],
    )
BAD["cumsum_inplace", "dim_out_of_range"] = (
    lambda: _t(2).cumsum_(1),
    eagre.IndexOutOfRangeError,
    ["cumsum", "'dim'", "-1 to 0"],
)
BAD["cumsum_inplace", "dtype_does_not_fit"] = (
    lambda: _t(2, dtype=np.int64).cumsum_(0, dtype=eagre.float32),
    eagre.InvalidArgumentError,
    ["cumsum_()", "float32", "int64"],
)
