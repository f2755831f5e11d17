"""Samples of ops/scan.yaml."""

import numpy as np
from mistakes import dim_out_of_range, integers, tensor
from samples import DTYPES, FLOATS, Sample, make, strided

import eagre


def cumsum_inplace():
    for dtype in (np.float64, np.float32, np.int64, np.int32):
        a = make((3, 4), dtype)
        yield Sample((a, 1), a.cumsum(1, dtype=dtype))
    yield Sample((strided((3, 2)), -2), strided((3, 2)).cumsum(0))
    yield Sample((make(()), 0), make(()))


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


def diff():
    for dtype in (*FLOATS, np.int64, np.bool_):
        a = make((3, 4), dtype)
        yield Sample((a,), np.diff(a))
        yield Sample((a, 2, 0), np.diff(a, 2, 0))
    a, b = make((2, 3)), make((2, 1), seed=1)
    yield Sample((a, 1, -1, b), np.diff(a, prepend=b))
    yield Sample((a, 2, 1, b, a), np.diff(a, 2, 1, b, a))
    yield Sample((a, 0), a)
    yield Sample((a, 5), np.zeros((2, 0)))
    yield Sample((strided((3, 2)), 1, 0), np.diff(strided((3, 2)), axis=0))


def _trapezoid(*args, **named):
    return np.asarray(getattr(np, "trapezoid", getattr(np, "trapz", None))(*args, **named))


def trapezoid():
    a = make((2, 4))
    yield Sample((a,), _trapezoid(a))
    yield Sample((a,), _trapezoid(a, dx=0.5, axis=0), {"dx": 0.5, "dim": 0})
    yield Sample((make((2, 0)),), np.zeros(2))
    yield Sample((make((1,)),), np.asarray(0.0))
    # Sums of neighbours do not fit into their dtype.
    yield Sample((np.array([100, 200, 44], np.uint8),), np.asarray(272, np.float32))
    yield Sample((np.array([1, 127, 100], np.int8),), np.asarray(177.5, np.float32))


def trapezoid_at():
    a, x = make((2, 4)), make((4,), seed=1)
    yield Sample((a, x), _trapezoid(a, x))
    yield Sample((a, make((2, 4), seed=1)), _trapezoid(a, make((2, 4), seed=1)))
    yield Sample((a, make((2,))), _trapezoid(a, make((2,)), axis=0), {"dim": 0})
    bytes_, places = np.array([100, 200, 44], np.uint8), np.array([100, 90, 44], np.uint8)
    yield Sample((bytes_, places), np.asarray(-7112, np.float32))


def cumprod():
    for dtype in (*FLOATS, np.int64):
        for shape in ((5,), (2, 3), (1,), (0,)):
            a = make(shape, dtype)
            yield Sample((a, 0), np.cumprod(a, 0, dtype=dtype))
    yield Sample((make((2, 3)), -1), np.cumprod(make((2, 3)), -1))
    yield Sample((make(()), 0), make(()))
    whole = make((3,), np.int32)
    yield Sample((whole, 0), np.cumprod(whole, dtype=np.int64))
    yield Sample((whole, 0), np.cumprod(whole, dtype=np.float64), {"dtype": eagre.float64})


def logcumsumexp():
    for dtype in FLOATS:
        for shape in ((5,), (2, 3), (1,)):
            a = make(shape, dtype)
            yield Sample((a, 0), np.logaddexp.accumulate(a, 0))
    yield Sample((make((2, 3)), 1), np.logaddexp.accumulate(make((2, 3)), 1))
    yield Sample((make(()), 0), make(()))
    far = np.asarray([-1e4, 0.0, -np.inf, 1e4])
    yield Sample((far, 0), np.logaddexp.accumulate(far))
    yield Sample((make((0, 2)), 0), make((0, 2)))


BAD = {
    ("cumsum", "dim_out_of_range"): dim_out_of_range("cumsum"),
    ("diff", "zero_dim"): (
        lambda: eagre.diff(tensor()),
        eagre.InvalidArgumentError,
        ["diff()", "'input'", "0-dim"],
    ),
    ("diff", "negative"): (
        lambda: eagre.diff(tensor(2), -1),
        eagre.InvalidArgumentError,
        ["diff()", "negative", "-1"],
    ),
    ("diff", "ranks_differ"): (
        lambda: eagre.diff(tensor(2), append=tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["diff()", "'append'", "[2]", "[2, 2]"],
    ),
    ("diff", "sizes_differ"): (
        lambda: eagre.diff(tensor(2, 2), prepend=tensor(3, 2)),
        eagre.InvalidArgumentError,
        ["diff()", "'prepend'", "[2, 2]", "[3, 2]"],
    ),
    ("trapezoid", "dim_out_of_range"): (
        lambda: eagre.trapezoid(tensor(2), dim=1),
        eagre.IndexOutOfRangeError,
        ["trapezoid()", "'dim'", "got 1"],
    ),
    ("trapezoid_at", "lengths_differ"): (
        lambda: eagre.trapezoid(tensor(2, 3), tensor(2)),
        eagre.InvalidArgumentError,
        ["trapezoid()", "'x'", "3 elements", "[2]"],
    ),
    ("cumprod", "dim_out_of_range"): (
        lambda: tensor(2).cumprod(1),
        eagre.IndexOutOfRangeError,
        ["cumprod()", "'dim'", "got 1"],
    ),
    ("logcumsumexp", "dim_out_of_range"): (
        lambda: tensor(2).logcumsumexp(1),
        eagre.IndexOutOfRangeError,
        ["logcumsumexp()", "got 1"],
    ),
    ("logcumsumexp", "integers"): (
        lambda: integers(2).logcumsumexp(0),
        eagre.UnimplementedError,
        ["logcumsumexp()", "int64"],
    ),
    ("cumsum_inplace", "dim_out_of_range"): (
        lambda: tensor(2).cumsum_(1),
        eagre.IndexOutOfRangeError,
        ["cumsum", "'dim'", "range of [-1, 0]"],
    ),
    ("cumsum_inplace", "dtype_does_not_fit"): (
        lambda: tensor(2, dtype=np.int64).cumsum_(0, dtype=eagre.float32),
        eagre.InvalidArgumentError,
        ["cumsum_()", "float32", "int64"],
    ),
}


def _running(a, dim, of, best):
    """Values and places one by one; of equal ones the last."""
    a = np.moveaxis(a, dim, -1)
    places = np.zeros(a.shape, np.int64)
    for row in np.ndindex(a.shape[:-1]):
        for i in range(1, a.shape[-1]):
            before = a[row][places[row][i - 1]]
            places[row][i] = i if of(before, a[row][i]) == a[row][i] else places[row][i - 1]
    return best.accumulate(np.moveaxis(a, -1, dim), dim), np.moveaxis(places, -1, dim)


def _running_samples(of, best):
    def generate():
        for dtype in (*FLOATS, np.int64, np.uint8, np.bool_):
            for shape, dim in (((5,), 0), ((2, 3), 1), ((3, 4, 2), 1), ((1,), -1), ((2, 0), 1)):
                a = make(shape, dtype)
                yield Sample((a, dim), _running(a, dim, of, best))
        a = np.array([2.0, 2.0, 1.0, 3.0, 3.0, 0.0], np.float32)  # without a gradient to compare
        yield Sample((a, 0), _running(a, 0, of, best))
        a = strided((3, 2))
        yield Sample((a, 0), _running(a, 0, of, best))
        yield Sample((make(()), 0), (make(()), np.asarray(0)))

    return generate


cummax = _running_samples(max, np.maximum)
cummin = _running_samples(min, np.minimum)


def _areas(y, x=None, dx=1, dim=-1):
    """The trapezoids one by one."""
    y = np.moveaxis(np.asarray(y, np.float64), dim, -1)
    if x is None:
        steps = np.full(max(y.shape[-1] - 1, 0), dx)
    else:
        steps = np.diff(x if x.ndim == 1 else np.moveaxis(x, dim, -1))
    return np.moveaxis(np.cumsum((y[..., 1:] + y[..., :-1]) / 2 * steps, -1), -1, dim)


def cumulative_trapezoid():
    a = make((2, 4))
    yield Sample((a,), _areas(a))
    yield Sample((a,), _areas(a, dx=0.5, dim=0), {"dx": 0.5, "dim": 0})
    yield Sample((make((2, 0)),), np.zeros((2, 0)))
    yield Sample((make((1,)),), np.zeros(0))
    yield Sample((np.array([100, 200, 44], np.uint8),), np.asarray([150, 272], np.float32))


def cumulative_trapezoid_at():
    a, x = make((2, 4)), make((4,), seed=1)
    yield Sample((a, x), _areas(a, x))
    yield Sample((a, make((2, 4), seed=1)), _areas(a, make((2, 4), seed=1)))
    yield Sample((a, make((2,))), _areas(a, make((2,)), dim=0), {"dim": 0})


BAD |= {
    ("cumulative_trapezoid", "dim_out_of_range"): (
        lambda: eagre.cumulative_trapezoid(tensor(2, 3), dim=2),
        eagre.IndexOutOfRangeError,
        ["cumulative_trapezoid()", "'dim'"],
    ),
    ("cumulative_trapezoid_at", "lengths_differ"): (
        lambda: eagre.cumulative_trapezoid(tensor(3), tensor(4)),
        eagre.InvalidArgumentError,
        ["cumulative_trapezoid()", "'x'", "[4]"],
    ),
} | {
    (name, mistake): bad
    for name in ("cummax", "cummin")
    for mistake, bad in {
        "dim_out_of_range": (
            lambda name=name: getattr(eagre, name)(tensor(2), 1),
            eagre.IndexOutOfRangeError,
            [f"{name}()", "'dim'"],
        ),
        "complex_numbers": (
            lambda name=name: getattr(eagre, name)(tensor(2, dtype=np.complex64), 0),
            eagre.UnimplementedError,
            [f"{name}()", "complex64"],
        ),
    }.items()
}


def _estimates(a, *places, dim=None, edge_order=1):
    """What NumPy says, always as a tuple of arrays."""
    found = np.gradient(a, *places, axis=dim, edge_order=edge_order)
    return tuple(found) if isinstance(found, (list, tuple)) else (found,)


def gradient():
    for dtype in FLOATS:
        a = make((3, 4), dtype)
        yield Sample((a,), _estimates(a))
        yield Sample((a,), _estimates(a, 0.5), {"spacing": 0.5})
        yield Sample((a,), _estimates(a, 0.5, 3.0), {"spacing": [0.5, 3.0]})
        named = {"dim": 1, "edge_order": 2}
        yield Sample((a,), _estimates(a, **named), named)
    yield Sample((strided((3, 2)),), _estimates(strided((3, 2)), dim=0), {"dim": (0,)})
    whole = np.asarray([1, 4, 9])
    yield Sample((whole,), tuple(x.astype(np.float32) for x in _estimates(whole)))
    yield Sample((make(()),), ())


def _estimate(*shape, **named):
    return lambda: eagre.gradient(eagre.ones(*shape), **named)


BAD |= {
    ("gradient", name): (call, error, ["gradient()", *words])
    for name, call, error, words in (
        (
            "edge_order",
            _estimate(4, edge_order=3),
            eagre.InvalidArgumentError,
            ["'edge_order'", "3"],
        ),
        ("too_short", _estimate(2, edge_order=2), eagre.InvalidArgumentError, ["'input'", "got 2"]),
        (
            "lengths_differ",
            _estimate(3, 3, spacing=[1.0, 2.0], dim=1),
            eagre.InvalidArgumentError,
            ["'spacing'", "got 2"],
        ),
        ("dim_twice", _estimate(3, 3, dim=(0, -2)), eagre.InvalidArgumentError, ["'dim'", "twice"]),
        (
            "places_differ",
            _estimate(3, spacing=(eagre.ones(2),)),
            eagre.InvalidArgumentError,
            ["'spacing'", "[2]"],
        ),
    )
}
