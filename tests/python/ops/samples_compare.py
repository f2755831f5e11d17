"""Samples of ops/compare.yaml."""

import numpy as np
from mistakes import refused, refused_call, tensor
from samples import (
    COMPLEX,
    DTYPES,
    HALVES_TOO,
    INF,
    NAN,
    PAIRS,
    SHAPES,
    Sample,
    binary,
    make,
    mixed,
    strided,
    whether,
)

import eagre


def extreme(function):
    def generate():
        for dtype in DTYPES:
            for shape in SHAPES:
                a, b = make(shape, dtype, 1), make(shape, dtype, 2)
                yield Sample((a, b), np.asarray(function(a, b)))
        for left, right in PAIRS:
            a, b = make(left, seed=1), make(right, seed=2)
            yield Sample((a, b), np.asarray(function(a, b)))
        a, b = strided((3, 2), seed=1), strided((3, 2), seed=2)
        yield Sample((a, b), function(a, b))
        yield from mixed(function)
        special = np.asarray([np.nan, np.inf, -np.inf, 0.0, 1.0])
        yield Sample((special, special[::-1].copy()), function(special, special[::-1]))
        a = np.asarray([1, np.nan, 3, np.nan, np.inf])
        b = np.asarray([2, 1, np.nan, np.nan, -np.inf])
        yield Sample((a, b), function(a, b))
        large = np.asarray([2**63, 2**64 - 1, 1], np.uint64)
        yield Sample((large, large[::-1].copy()), function(large, large[::-1]))

    return generate


maximum = extreme(np.maximum)
minimum = extreme(np.minimum)


def comparison(function):
    def generate():
        yield from binary(lambda a, b: np.asarray(function(a, b)), numbers=False)
        whole = make((3,), np.int64)
        yield Sample((whole, 2), function(whole, 2))
        yield Sample((whole, 0.5), function(whole, 0.5))
        special = np.asarray([np.nan, np.inf, -np.inf, 0.0, -0.0])
        yield Sample((special, special[::-1].copy()), function(special, special[::-1]))
        large = np.asarray([2**63, 2**64 - 1, 1], np.uint64)
        yield Sample((large, large[::-1].copy()), function(large, large[::-1]))

    return generate


eq = comparison(np.equal)
ne = comparison(np.not_equal)
lt = comparison(np.less)
le = comparison(np.less_equal)
gt = comparison(np.greater)
ge = comparison(np.greater_equal)
fmax = extreme(np.fmax)
fmin = extreme(np.fmin)


def isclose():
    def sample(a, b, **kwargs):
        return Sample((a, b), np.asarray(np.isclose(a, b, **kwargs)), kwargs)

    for dtype in (np.bool_, np.int64, np.int32, *HALVES_TOO, *COMPLEX):
        a = make((2, 3), dtype)
        yield Sample((a, a), np.ones((2, 3), np.bool_))
    a = np.asarray([1.0, 1.0, 1.0, INF, INF, NAN, 0])
    b = np.asarray([1.0, 1.1, 1.000001, INF, -INF, NAN, 1e-9])
    yield sample(a, b)
    yield sample(a, b, equal_nan=True)
    yield sample(a, b, rtol=0.2)
    yield sample(a, b, rtol=0.0, atol=0.0)
    yield sample(a + 1j, b + 1j)
    yield sample(np.asarray([1, 5, 9]), np.asarray([2, 5, 10]), rtol=0.0, atol=1.0)
    yield sample(make((2, 1)), make((1, 3)))


def allclose():
    for one in isclose():
        yield Sample(one.args, whether(bool(one.expected.all())), one.kwargs)
    yield Sample((make((0, 3)), make((0, 3))), whether(True))


def equal():
    for dtype in (*DTYPES, *COMPLEX):
        a = make((2, 3), dtype)
        yield Sample((a, a), whether(True))
        yield Sample((a, make((3,), dtype)), whether(False))
    a = make((3,))
    yield Sample((a, a + 1), whether(False))
    yield Sample((a, a.astype(np.float32)), whether(False))
    yield Sample((np.asarray([1, 2]), np.asarray([1.0, 2.0])), whether(True))
    yield Sample((np.asarray([NAN]), np.asarray([NAN])), whether(False))
    yield Sample((make((0,)), make((0,))), whether(True))


def is_same_size():
    yield Sample((make((2, 3)), make((2, 3), np.int64)), whether(True))
    yield Sample((make((2, 3)), make((3,))), whether(False))
    yield Sample((make(()), make(())), whether(True))


BOUNDED = [d for d in DTYPES if d is not np.bool_]


def clamp():
    def sample(a, low, high, **named):
        with np.errstate(all="ignore"):
            return Sample((a, low, high), np.asarray(np.clip(a, low, high)), named)

    for dtype in BOUNDED:
        for shape in SHAPES:
            low = np.minimum(make(shape, dtype, 1), make(shape, dtype, 2))
            high = np.maximum(make(shape, dtype, 1), make(shape, dtype, 2))
            yield sample(make(shape, dtype), low, high)
    a = make((4, 5))
    yield Sample((a, -0.5, 0.7), np.clip(a, -0.5, 0.7))
    yield Sample((a, 0.7, -0.5), np.full((4, 5), -0.5))
    yield Sample((a,), np.maximum(a, 0.25), {"min": 0.25})
    yield Sample((a,), np.minimum(a, 0.25), {"max": 0.25})
    yield Sample((a, make((5,), seed=1)), np.maximum(a, make((5,), seed=1)))
    low = make((5,), seed=1)
    yield Sample((a, low, 1.5), np.clip(a, low, 1.5))
    yield Sample((strided((3, 2)), -1, 1), np.clip(strided((3, 2)), -1, 1))
    whole = make((5,), np.int64)
    yield Sample((whole, -3, 3), np.clip(whole, -3, 3))
    yield Sample((whole, 0.5), np.maximum(whole, 0.5).astype(np.float32), dtype=eagre.float32)
    special = np.asarray([np.nan, np.inf, -np.inf, 0.0])
    yield Sample((special, -1, 1), np.clip(special, -1, 1))
    large = np.asarray([2**63, 2**64 - 1, 1], np.uint64)
    yield Sample((large, large[::-1].copy()), np.maximum(large, large[::-1]))


def bound(function):
    def generate():
        for dtype in BOUNDED:
            for shape in SHAPES:
                a, b = make(shape, dtype, 1), make(shape, dtype, 2)
                yield Sample((a, b), np.asarray(function(a, b)))
        a = make((3, 2))
        yield Sample((a, 0.25), function(a, 0.25))
        yield Sample((a, make((2,), seed=3)), function(a, make((2,), seed=3)))
        yield Sample((strided((3, 2)), 0.25), function(strided((3, 2)), 0.25))
        special = np.asarray([np.nan, np.inf, -np.inf, 0.0])
        yield Sample((special, 1.0), function(special, 1.0))

    return generate


clamp_min = bound(np.maximum)
clamp_max = bound(np.minimum)


BAD = {
    **{
        (op, "shapes_do_not_broadcast"): (
            lambda op=op: getattr(eagre, op)(tensor(4), tensor(3)),
            eagre.InvalidArgumentError,
            [f"{op}()", "[4]", "[3]"],
        )
        for op in ("maximum", "minimum")
    },
    **{
        (op, "shapes_do_not_broadcast"): (
            lambda op=op: getattr(eagre, op)(tensor(4), tensor(3)),
            eagre.InvalidArgumentError,
            [f"{op}()", "[4]", "[3]"],
        )
        for op in ("eq", "ne", "lt", "le", "gt", "ge")
    },
    **{
        (op, "shapes_do_not_broadcast"): refused_call(
            op, tensor(4), tensor(3), words=["[4]", "[3]"]
        )
        for op in ("fmax", "fmin", "isclose")
    },
    **{
        (op, "complex_input"): refused(op, np.complex64, tensor(3), kind=eagre.DTypeError)
        for op in ("fmax", "fmin")
    },
    **{
        (op, "not_a_tensor"): refused_call(
            op, tensor(3), 1.0, kind=eagre.DTypeError, words=["'other'", "float"]
        )
        for op in ("equal", "is_same_size")
    },
    **{
        (op, "dtypes_differ"): refused_call(
            op, tensor(3), tensor(3, dtype=np.float64), words=["float32", "float64"]
        )
        for op in ("isclose", "allclose")
    },
    **{
        (op, "negative_rtol"): refused_call(
            op, tensor(3), tensor(3), rtol=-1, words=["'rtol'", "-1"]
        )
        for op in ("isclose", "allclose")
    },
    ("clamp", "no_bounds"): (
        lambda: tensor(3).clamp(),
        eagre.InvalidArgumentError,
        ["clamp()", "'min'", "'max'"],
    ),
}

for _op in ("clamp", "clamp_min", "clamp_max"):
    BAD[_op, "shapes_do_not_broadcast"] = (
        lambda op=_op: getattr(eagre, op)(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        ["clamp", "[4]", "[3]"],
    )
