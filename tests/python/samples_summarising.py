"""Samples of statistics, scans and differences."""

import numpy as np
from samples import FLOATS, Sample, _t, make, strided

import eagre

NAN = float("nan")
WITH_NAN = np.asarray([[2.0, NAN, -1.0], [NAN, NAN, NAN], [1.0, 0.0, 3.0]])


# --- mean and deviation ---


def _moments(spread, unbiased):
    for dtype in FLOATS:
        a = make((2, 3), dtype)
        if unbiased == "all":
            yield Sample((a, True), (spread(a, ddof=1), np.asarray(a.mean())))
            yield Sample((a,), (spread(a, ddof=0), np.asarray(a.mean())), {"unbiased": False})
        elif unbiased == "dim":
            yield Sample((a, 1, False), (spread(a, 1, ddof=0), a.mean(1)))
            yield Sample((a, (0, 1), True, True),
                         (spread(a, ddof=1, keepdims=True), a.mean(keepdims=True)))  # fmt: skip
        else:
            yield Sample((a,), (spread(a, ddof=1), np.asarray(a.mean())))
            yield Sample((a, 0), (spread(a, 0, ddof=0), a.mean(0)), {"correction": 0})
            yield Sample((a, [1]), (spread(a, 1, ddof=1, keepdims=True), a.mean(1, keepdims=True)),
                         {"keepdim": True})  # fmt: skip


def _var(a, *axis, **named):
    return np.asarray(np.var(a, *axis, **named))


def _std(a, *axis, **named):
    return np.asarray(np.std(a, *axis, **named))


def var_mean():
    yield from _moments(_var, "")


def var_mean_unbiased():
    yield from _moments(_var, "all")


def var_mean_dim_unbiased():
    yield from _moments(_var, "dim")


def std_mean():
    yield from _moments(_std, "")


def std_mean_unbiased():
    yield from _moments(_std, "all")


def std_mean_dim_unbiased():
    yield from _moments(_std, "dim")


# --- extremes and sums ---


def aminmax():
    for dtype in (np.float64, np.float32, np.int64, np.uint8, np.bool_):
        a = make((2, 3), dtype)
        yield Sample((a,), (np.asarray(a.min()), np.asarray(a.max())))
        yield Sample((a,), (a.min(1), a.max(1)), {"dim": 1})
        yield Sample((a,), (a.min(0, keepdims=True), a.max(0, keepdims=True)),
                     {"dim": 0, "keepdim": True})  # fmt: skip
    yield Sample((make(()),), (make(()), make(())))
    yield Sample((WITH_NAN,), (np.asarray([NAN, NAN, 0.0]), np.asarray([NAN, NAN, 3.0])),
                 {"dim": 1})  # fmt: skip
    yield Sample((make((0, 2)),), (np.zeros(0), np.zeros(0)), {"dim": 1})


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


# --- by their place in the order ---


def _middle(a, axis):
    size = a.shape[axis]
    order = a.argsort(axis, kind="stable")
    place = np.take(order, [(size - 1) // 2], axis)
    return np.take_along_axis(a, place, axis), place


def median():
    for dtype in (*FLOATS, np.int64):
        for shape, axis in (((5,), 0), ((2, 4), 1), ((3, 2), 0)):
            a = make(shape, dtype)
            values, places = _middle(a, axis)
            yield Sample((a, axis), (values.squeeze(axis), places.squeeze(axis)))
            yield Sample((a, axis, True), (values, places))
    yield Sample((WITH_NAN, 1), (np.asarray([NAN, NAN, 1.0]), np.asarray([1, 0, 0])))
    yield Sample((make(()), 0), (make(()), np.asarray(0)))


def median_all():
    for dtype in (*FLOATS, np.int64):
        for shape in ((5,), (2, 4), (), (1, 1)):
            a = make(shape, dtype)
            yield Sample((a,), np.sort(a, None)[(a.size - 1) // 2])
    yield Sample((WITH_NAN,), np.asarray(NAN))
    yield Sample((make((0,)),), np.asarray(NAN))


def nanmedian():
    a = make((2, 4))
    values, places = _middle(a, 1)
    yield Sample((a, 1, True), (values, places))
    yield Sample((WITH_NAN, 1), (np.asarray([-1.0, NAN, 1.0]), np.asarray([2, 0, 0])))


def nanmedian_all():
    yield Sample((WITH_NAN,), np.asarray(1.0))
    yield Sample((WITH_NAN[1],), np.asarray(NAN))
    yield Sample((make((2, 3)),), np.sort(make((2, 3)), None)[2])
    yield Sample((make((4,), np.int64),), np.sort(make((4,), np.int64))[1])


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


def quantile():
    for dtype in FLOATS:
        a, q = make((3, 4), dtype), np.asarray([0.1, 0.3, 0.9], dtype)
        yield Sample((a, q), np.quantile(a, q).astype(dtype))
        for way in ("linear", "lower", "higher", "midpoint", "nearest"):
            expected = np.quantile(a, q, 1, method=way).astype(dtype)
            yield Sample((a, q, 1), expected, {"interpolation": way})
    a, q = make((2, 3)), np.asarray(0.25)
    yield Sample((a, q, 0, True), np.quantile(a, q, 0, keepdims=True))
    yield Sample((a, q, None, True), np.quantile(a, q, keepdims=True))
    yield Sample((WITH_NAN, np.asarray([0.5]), 1), np.asarray([[NAN, NAN, 1.0]]))


def quantile_number():
    a = make((2, 3))
    yield Sample((a, 0.25), np.asarray(np.quantile(a, 0.25)))
    yield Sample((a, 1, -1), np.quantile(a, 1.0, -1))


# --- neighbours and scans ---


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


def trapezoid_at():
    a, x = make((2, 4)), make((4,), seed=1)
    yield Sample((a, x), _trapezoid(a, x))
    yield Sample((a, make((2, 4), seed=1)), _trapezoid(a, make((2, 4), seed=1)))
    yield Sample((a, make((2,))), _trapezoid(a, make((2,)), axis=0), {"dim": 0})


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


# --- rows ---


def cross():
    for dtype in (*FLOATS, np.int64):
        a, b = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        yield Sample((a, b), np.cross(a, b))
    a, b = make((3, 3), seed=1), make((3, 3), seed=2)
    yield Sample((a, b), np.cross(a, b, axis=0))
    yield Sample((a, b, 1), np.cross(a, b, axis=1))
    yield Sample((make((1, 3)), b, -1), np.cross(make((1, 3)), b))


def cdist():
    for dtype in FLOATS:
        a, b = make((2, 3), dtype, 1), make((4, 3), dtype, 2)
        apart = np.abs(a[:, None] - b)
        yield Sample((a, b), np.sqrt((apart**2).sum(-1)))
        yield Sample((a, b, 1.0), apart.sum(-1))
        yield Sample((a, b, np.inf), apart.max(-1))
    a, b = make((2, 2, 3), seed=1), make((2, 3), seed=2)
    yield Sample((a, b, 3), (np.abs(a[..., None, :] - b) ** 3).sum(-1) ** (1 / 3))
    yield Sample((make((0, 2)), make((3, 2))), np.zeros((0, 3)))


def cov():
    for dtype in (*FLOATS, np.complex128):
        a = make((2, 4), dtype)
        yield Sample((a,), np.cov(a, dtype=dtype).astype(dtype))
        yield Sample((a,), np.cov(a, ddof=0).astype(dtype), {"correction": 0})
    yield Sample((make((4,)),), np.cov(make((4,))))
    a, often, much = make((2, 3)), np.asarray([1, 2, 3]), np.asarray([0.5, 1.0, 2.0])
    yield Sample((a,), np.cov(a, fweights=often), {"fweights": eagre.tensor(often)})
    yield Sample((a,), np.cov(a, aweights=much), {"aweights": eagre.tensor(much)})
    yield Sample((a,), np.cov(a, fweights=often, aweights=much),
                 {"fweights": eagre.tensor(often), "aweights": eagre.tensor(much)})  # fmt: skip


def corrcoef():
    for dtype in (*FLOATS, np.complex128):
        a = make((3, 4), dtype)
        yield Sample((a,), np.corrcoef(a).astype(dtype), tolerance=1e-5)
    yield Sample((make((4,)),), np.asarray(1.0))


def _whole(*shape):
    return _t(*shape, dtype=np.int64)


def _complex(*shape):
    return _t(*shape, dtype=np.complex64)


BAD = {
    **{(f"{op}_mean_unbiased", "integers"): (
        lambda op=op: getattr(eagre, f"{op}_mean")(_whole(2), True), eagre.UnimplementedError,
        [f"{op}_mean()", "int64"]) for op in ("std", "var")},
    **{(f"{op}_mean_dim_unbiased", "dim_out_of_range"): (
        lambda op=op: getattr(eagre, f"{op}_mean")(_t(2), 1, True), eagre.IndexOutOfRangeError,
        [f"{op}_mean()", "'dim'", "got 1"]) for op in ("std", "var")},
    **{(f"{op}_mean", "integers"): (
        lambda op=op: getattr(eagre, f"{op}_mean")(_whole(2)), eagre.UnimplementedError,
        [f"{op}_mean()", "int64"]) for op in ("std", "var")},
    **{(f"{op}_mean", "dim_out_of_range"): (
        lambda op=op: getattr(eagre, f"{op}_mean")(_t(2), 1), eagre.IndexOutOfRangeError,
        [f"{op}_mean()", "'dim'", "got 1"]) for op in ("std", "var")},
    ("aminmax", "nothing"): (
        lambda: eagre.aminmax(_t(2, 0)), eagre.InvalidArgumentError,
        ["aminmax()", "'input'", "[2, 0]"]),
    ("aminmax", "dim_out_of_range"): (
        lambda: eagre.aminmax(_t(2), dim=1), eagre.IndexOutOfRangeError, ["aminmax()", "got 1"]),
    ("aminmax", "out_of_another_dtype"): (
        lambda: eagre.aminmax(_t(2), out=(_t(), _t(dtype=np.float64))), eagre.InvalidArgumentError,
        ["aminmax()", "float32", "float64"]),
    ("aminmax", "out_twice"): (
        lambda: (lambda out: eagre.aminmax(_t(2), out=(out, out)))(_t()),
        eagre.InvalidArgumentError, ["aminmax()", "'out'", "must not overlap"]),
    ("aminmax", "complex_numbers"): (
        lambda: eagre.aminmax(_complex(2)), eagre.UnimplementedError, ["aminmax()", "complex64"]),
    ("nansum", "complex_numbers"): (
        lambda: eagre.nansum(_complex(2)), eagre.UnimplementedError, ["nansum()", "complex64"]),
    ("nansum", "dim_out_of_range"): (
        lambda: eagre.nansum(_t(2), 1), eagre.IndexOutOfRangeError, ["nansum()", "'dim'", "got 1"]),
    ("nanmean", "integers"): (
        lambda: eagre.nanmean(_whole(2)), eagre.InvalidArgumentError, ["nanmean()", "int64"]),
    ("nanmean", "dim_out_of_range"): (
        lambda: eagre.nanmean(_t(2), 1), eagre.IndexOutOfRangeError, ["nanmean()", "got 1"]),
    **{(f"{op}_all", "complex_numbers"): (
        lambda op=op: getattr(_complex(2), op)(), eagre.UnimplementedError,
        [f"{op}()", "complex64"]) for op in ("median", "nanmedian")},
    **{(op, "complex_numbers"): (
        lambda op=op: getattr(_complex(2), op)(0), eagre.UnimplementedError,
        [f"{op}()", "complex64"]) for op in ("median", "nanmedian")},
    **{(op, "dim_out_of_range"): (
        lambda op=op: getattr(_t(2), op)(1), eagre.IndexOutOfRangeError,
        [f"{op}()", "'dim'", "got 1"]) for op in ("median", "nanmedian")},
    **{(op, "nothing"): (
        lambda op=op: getattr(_t(2, 0), op)(1), eagre.IndexOutOfRangeError,
        [f"{op}()", "non-zero size", "[2, 0]"]) for op in ("median", "nanmedian")},
    ("kthvalue", "k_too_large"): (
        lambda: _t(2).kthvalue(3), eagre.InvalidArgumentError, ["kthvalue()", "'k'", "to 2", "3"]),
    ("kthvalue", "k_too_small"): (
        lambda: _t(2).kthvalue(0), eagre.InvalidArgumentError, ["kthvalue()", "'k'", "to 2", "0"]),
    ("kthvalue", "dim_out_of_range"): (
        lambda: _t(2).kthvalue(1, 1), eagre.IndexOutOfRangeError, ["kthvalue()", "'dim'", "got 1"]),
    ("kthvalue", "out_overlaps"): (
        lambda: (lambda x: eagre.kthvalue(x, 1, out=(x, _whole())))(_t(2)),
        eagre.InvalidArgumentError, ["kthvalue()", "'out'"]),
    ("quantile", "integers"): (
        lambda: _whole(2).quantile(_t()), eagre.InvalidArgumentError,
        ["quantile()", "'input'", "int64"]),
    ("quantile", "another_dtype"): (
        lambda: _t(2).quantile(_t(dtype=np.float64)), eagre.InvalidArgumentError,
        ["quantile()", "'q'", "float32", "float64"]),
    ("quantile", "too_many_dimensions"): (
        lambda: _t(2).quantile(_t(2, 2)), eagre.InvalidArgumentError,
        ["quantile()", "'q'", "[2, 2]"]),
    ("quantile", "out_of_range"): (
        lambda: _t(2).quantile(eagre.tensor([0.5, 1.5])), eagre.InvalidArgumentError,
        ["quantile()", "'q'", "[0, 1]"]),
    ("quantile", "unknown_interpolation"): (
        lambda: _t(2).quantile(eagre.tensor(0.5), interpolation="best"), eagre.InvalidArgumentError,
        ["quantile()", "'interpolation'", "'best'"]),
    ("quantile", "nothing"): (
        lambda: _t(0).quantile(eagre.tensor(0.5)), eagre.InvalidArgumentError,
        ["quantile()", "'input'", "[0]"]),
    ("quantile", "dim_out_of_range"): (
        lambda: _t(2).quantile(eagre.tensor(0.5), 1), eagre.IndexOutOfRangeError,
        ["quantile()", "'dim'", "got 1"]),
    ("quantile_number", "out_of_range"): (
        lambda: _t(2).quantile(-0.5), eagre.InvalidArgumentError, ["quantile()", "'q'", "[0, 1]"]),
    ("msort", "complex_numbers"): (
        lambda: eagre.msort(_complex(2)), eagre.UnimplementedError, ["msort()", "complex64"]),
    ("diff", "zero_dim"): (
        lambda: eagre.diff(_t()), eagre.InvalidArgumentError, ["diff()", "'input'", "0-dim"]),
    ("diff", "negative"): (
        lambda: eagre.diff(_t(2), -1), eagre.InvalidArgumentError, ["diff()", "negative", "-1"]),
    ("diff", "ranks_differ"): (
        lambda: eagre.diff(_t(2), append=_t(2, 2)), eagre.InvalidArgumentError,
        ["diff()", "'append'", "[2]", "[2, 2]"]),
    ("diff", "sizes_differ"): (
        lambda: eagre.diff(_t(2, 2), prepend=_t(3, 2)), eagre.InvalidArgumentError,
        ["diff()", "'prepend'", "[2, 2]", "[3, 2]"]),
    ("trapezoid", "dim_out_of_range"): (
        lambda: eagre.trapezoid(_t(2), dim=1), eagre.IndexOutOfRangeError,
        ["trapezoid()", "'dim'", "got 1"]),
    ("trapezoid_at", "lengths_differ"): (
        lambda: eagre.trapezoid(_t(2, 3), _t(2)), eagre.InvalidArgumentError,
        ["trapezoid()", "'x'", "3 elements", "[2]"]),
    ("cumprod", "dim_out_of_range"): (
        lambda: _t(2).cumprod(1), eagre.IndexOutOfRangeError, ["cumprod()", "'dim'", "got 1"]),
    ("logcumsumexp", "dim_out_of_range"): (
        lambda: _t(2).logcumsumexp(1), eagre.IndexOutOfRangeError, ["logcumsumexp()", "got 1"]),
    ("logcumsumexp", "integers"): (
        lambda: _whole(2).logcumsumexp(0), eagre.UnimplementedError, ["logcumsumexp()", "int64"]),
    ("cross", "ranks_differ"): (
        lambda: eagre.cross(_t(2, 3), _t(3)), eagre.InvalidArgumentError,
        ["cross()", "'other'", "[2, 3]", "[3]"]),
    ("cross", "not_three"): (
        lambda: eagre.cross(_t(2, 2), _t(2, 2)), eagre.InvalidArgumentError,
        ["cross()", "length 3", "[2, 2]"]),
    ("cross", "dim_out_of_range"): (
        lambda: eagre.cross(_t(3), _t(3), 1), eagre.IndexOutOfRangeError, ["cross()", "got 1"]),
    ("cdist", "not_matrices"): (
        lambda: eagre.cdist(_t(2), _t(2, 2)), eagre.InvalidArgumentError, ["cdist()", "'x1'"]),
    ("cdist", "columns_differ"): (
        lambda: eagre.cdist(_t(2, 2), _t(2, 3)), eagre.InvalidArgumentError,
        ["cdist()", "'x2'", "2 columns", "[2, 3]"]),
    ("cdist", "integers"): (
        lambda: eagre.cdist(_t(2, 2), _whole(2, 2)), eagre.InvalidArgumentError,
        ["cdist()", "'x2'", "int64"]),
    ("cdist", "negative_p"): (
        lambda: eagre.cdist(_t(2, 2), _t(2, 2), -1), eagre.InvalidArgumentError,
        ["cdist()", "'p'", "-1"]),
    ("cdist", "unknown_mode"): (
        lambda: eagre.cdist(_t(2, 2), _t(2, 2), compute_mode="fast"), eagre.InvalidArgumentError,
        ["cdist()", "'compute_mode'", "'fast'"]),
    ("cov", "too_many_dimensions"): (
        lambda: eagre.cov(_t(2, 2, 2)), eagre.InvalidArgumentError,
        ["cov()", "'input'", "[2, 2, 2]"]),
    ("cov", "weights_of_a_matrix"): (
        lambda: eagre.cov(_t(4), aweights=_t(2, 2)), eagre.InvalidArgumentError,
        ["cov()", "'aweights'", "[2, 2]"]),
    ("cov", "float_counts"): (
        lambda: eagre.cov(_t(2), fweights=_t(2)), eagre.InvalidArgumentError,
        ["cov()", "'fweights'", "float32"]),
    ("cov", "integer_weights"): (
        lambda: eagre.cov(_t(2), aweights=_whole(2)), eagre.InvalidArgumentError,
        ["cov()", "'aweights'", "int64"]),
    ("cov", "lengths_differ"): (
        lambda: eagre.cov(_t(2), fweights=_whole(3)), eagre.InvalidArgumentError,
        ["cov()", "'fweights'", "2 observations", "3 weights"]),
    ("cov", "negative_weights"): (
        lambda: eagre.cov(_t(2), fweights=eagre.tensor([1, -1])), eagre.InvalidArgumentError,
        ["cov()", "'fweights'", "negative"]),
    ("corrcoef", "too_many_dimensions"): (
        lambda: eagre.corrcoef(_t(2, 2, 2)), eagre.InvalidArgumentError,
        ["corrcoef()", "'input'", "[2, 2, 2]"]),
}  # fmt: skip
