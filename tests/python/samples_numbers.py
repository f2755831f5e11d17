"""Samples of the signs, parts and kinds of numbers: `test.samples` of ops/numbers.yaml."""

import numpy as np
from samples import COMPLEX, DTYPES, PAIRS, SHAPES, Sample, make, strided
from samples_special import HALVES_TOO, pairs_of

import eagre

NAN, INF = np.nan, np.inf
SPECIAL = np.asarray([1, -2, 0, -0.0, NAN, INF, -INF])
REAL = tuple(DTYPES)


def tensor(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def each(compute, dtypes, special=SPECIAL):
    """One tensor of every dtype and shape, with strides, and numbers at the edges."""
    for dtype in dtypes:
        for shape in SHAPES:
            yield Sample((make(shape, dtype),), np.asarray(compute(make(shape, dtype))))
        yield Sample((strided((3, 2), dtype),), np.asarray(compute(strided((3, 2), dtype))))
    with np.errstate(all="ignore"):
        yield Sample((special,), np.asarray(compute(special)))


def copysign():
    yield from pairs_of(np.copysign, numbers=(2, -2.5, True))
    a, b = np.asarray([1.0, -1, 0, NAN, INF]), np.asarray([-0.0, 0.0, -1, -1, -INF])
    yield Sample((a, b), np.copysign(a, b))
    whole = np.asarray([1, -2])
    yield Sample((whole, whole), np.asarray([1, -2], np.float32))


def extreme(function):
    def generate():
        for dtype in REAL:
            for shape in SHAPES:
                a, b = make(shape, dtype, 1), make(shape, dtype, 2)
                yield Sample((a, b), np.asarray(function(a, b)))
        for left, right in PAIRS:
            a, b = make(left, seed=1), make(right, seed=2)
            yield Sample((a, b), np.asarray(function(a, b)))
        a, b = np.asarray([1, NAN, 3, NAN, INF]), np.asarray([2, 1, NAN, NAN, -INF])
        yield Sample((a, b), function(a, b))
        large = np.asarray([2**63, 1], np.uint64), np.asarray([1, 2**64 - 1], np.uint64)
        yield Sample(large, function(*large))
        mixed = make((3,), np.int64), make((3,), np.float32)
        yield Sample(mixed, function(*mixed).astype(np.float32))

    generate.__module__ = __name__
    return generate


fmax = extreme(np.fmax)
fmin = extreme(np.fmin)


def heaviside():
    def compute(a, b):
        return np.asarray(np.where(a == 0, b, (a > 0).astype(a.dtype)), a.dtype)

    for dtype in (np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, *HALVES_TOO):
        for shape in SHAPES:
            a, b = make(shape, dtype, 1), make(shape, dtype, 2)
            yield Sample((a, b), compute(a, b))
    for left, right in PAIRS:
        a, b = make(left, seed=1), make(right, seed=2)
        yield Sample((a, b), compute(a, b))
    b = np.full(7, 0.5)
    yield Sample((SPECIAL, b), compute(SPECIAL, b))  # 0 for NaN, as in PyTorch


def nextafter():
    yield from pairs_of(np.nextafter)
    inf, tiny = np.asarray([INF, -INF]), np.asarray([0.0, -0.0])
    for dtype in HALVES_TOO:
        a = np.asarray([1, -1, 0, 0, INF, NAN, 1, 0], dtype)
        b = np.asarray([2, 0, 1, -1, 0, 1, NAN, 0], dtype)
        yield Sample((a, b), np.nextafter(a, b), tolerance=1e-300)
        yield Sample((tiny.astype(dtype), inf.astype(dtype)),
                     np.nextafter(tiny.astype(dtype), inf.astype(dtype)),
                     tolerance=1e-300)  # fmt: skip


def frac():
    yield from each(lambda a: a - np.trunc(a), HALVES_TOO)


def signbit():
    def compute(a):
        return np.signbit(a) if a.dtype.kind == "f" else a < 0

    yield from each(compute, REAL)
    large = np.asarray([2**63, 1], np.uint64)
    yield Sample((large,), np.asarray([False, False]))


def positive():
    yield from each(lambda a: a, [d for d in (*REAL, *COMPLEX) if d is not np.bool_])


def angle():
    def compute(a):
        if a.dtype.kind in "fc":
            return np.asarray(np.angle(a) if a.dtype.kind == "c" else np.where(
                np.isnan(a), a, np.where(a < 0, np.pi, 0)), a.real.dtype)  # fmt: skip
        return np.where(a < 0, np.pi, 0).astype(np.float32)

    yield from each(compute, (*REAL, *COMPLEX))
    edges = np.asarray([0, -1 + 0j, complex(-1, -0.0), complex(NAN, 1), complex(INF, 1)])
    yield Sample((edges,), np.angle(edges))


def complex_of():
    for dtype in (np.float32, np.float64):
        for shape in SHAPES:
            a, b = make(shape, dtype, 1), make(shape, dtype, 2)
            yield Sample((a, b), np.asarray(a + a.dtype.type(1) * 1j * b))
    for left, right in PAIRS:
        a, b = make(left, seed=1), make(right, seed=2)
        yield Sample((a, b), np.asarray(a + 1j * b))


def polar():
    for dtype in (np.float32, np.float64):
        for shape in SHAPES:
            a, b = make(shape, dtype, 1), make(shape, dtype, 2)
            yield Sample((a, b), np.asarray(a * np.exp(1j * b)))
    for left, right in PAIRS:
        a, b = make(left, seed=1), make(right, seed=2)
        yield Sample((a, b), np.asarray(a * np.exp(1j * b)))


def isposinf():
    yield from each(lambda a: a == INF, REAL)


def isneginf():
    yield from each(lambda a: a == -INF, REAL)


def isreal():
    yield from each(np.isreal, (*REAL, *COMPLEX))
    yield Sample((np.asarray([1 + 0j, 1j, complex(NAN, 0)]),), np.asarray([True, False, True]))


def nan_to_num():
    yield from each(np.nan_to_num, (*REAL, *COMPLEX))
    for dtype in HALVES_TOO:
        a = SPECIAL.astype(dtype)
        yield Sample((a,), np.nan_to_num(a))
        yield Sample((a, 5.0), np.nan_to_num(a, nan=5.0))
        yield Sample((a,), np.nan_to_num(a, nan=1, posinf=2, neginf=3),
                     {"nan": 1, "posinf": 2, "neginf": 3})  # fmt: skip
    z = np.asarray([complex(NAN, INF), complex(-INF, 1)])
    yield Sample((z,), np.nan_to_num(z))


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


def _is(expected):
    def check(result):
        assert result is expected

    return check


def allclose():
    for one in isclose():
        yield Sample(one.args, _is(bool(one.expected.all())), one.kwargs)
    yield Sample((make((0, 3)), make((0, 3))), _is(True))


def equal():
    for dtype in (*REAL, *COMPLEX):
        a = make((2, 3), dtype)
        yield Sample((a, a), _is(True))
        yield Sample((a, make((3,), dtype)), _is(False))
    a = make((3,))
    yield Sample((a, a + 1), _is(False))
    yield Sample((a, a.astype(np.float32)), _is(False))
    yield Sample((np.asarray([1, 2]), np.asarray([1.0, 2.0])), _is(True))
    yield Sample((np.asarray([NAN]), np.asarray([NAN])), _is(False))
    yield Sample((make((0,)), make((0,))), _is(True))


def is_same_size():
    yield Sample((make((2, 3)), make((2, 3), np.int64)), _is(True))
    yield Sample((make((2, 3)), make((3,))), _is(False))
    yield Sample((make(()), make(())), _is(True))


def is_nonzero():
    for dtype in (*REAL, *COMPLEX):
        yield Sample((np.ones((1, 1), dtype),), _is(True))
        yield Sample((np.zeros((), dtype),), _is(False))
    yield Sample((np.asarray([0.25]),), _is(True))


def count_nonzero():
    for dtype in (np.bool_, np.uint8, np.int64, np.float32, np.complex64):
        a = make((2, 3, 2), dtype) * np.asarray([0, 1], dtype)
        yield Sample((a,), np.asarray(np.count_nonzero(a)))
        for dim in (0, -1):
            yield Sample((a, dim), np.count_nonzero(a, dim))
        yield Sample((a,), np.count_nonzero(a, (0, 2)), {"dim": (0, 2)})
    yield Sample((make((0, 2)), 0), np.zeros(2, np.int64))


def _call(op, *args, kind=eagre.InvalidArgumentError, words=(), **kwargs):
    return lambda: getattr(eagre, op)(*args, **kwargs), kind, [f"{op}()", *words]


def _refused(op, dtype, *more, kind=eagre.UnimplementedError):
    given = tensor(3, dtype=dtype)
    return _call(op, given, *more, kind=kind, words=[np.dtype(dtype).name])


BAD = {
    **{
        (op, "shapes_do_not_broadcast"): _call(op, tensor(4), tensor(3), words=["[4]", "[3]"])
        for op in ("copysign", "fmax", "fmin", "heaviside", "nextafter", "isclose")
    },
    ("copysign", "complex_input"): _refused("copysign", np.complex64, tensor(3)),
    **{
        (op, "complex_input"): _refused(op, np.complex64, tensor(3), kind=eagre.DTypeError)
        for op in ("fmax", "fmin")
    },
    **{
        (op, "complex_input"): _refused(op, np.complex64, kind=eagre.DTypeError)
        for op in ("isposinf", "isneginf")
    },
    ("signbit", "complex_input"): _refused("signbit", np.complex64),
    ("heaviside", "dtypes_differ"): _call(
        "heaviside", tensor(3), tensor(3, dtype=np.float64), words=["'values'", "float64"]
    ),
    ("nextafter", "integers"): _refused("nextafter", np.int64, tensor(3, dtype=np.int64)),
    ("frac", "integers"): _refused("frac", np.int64),
    ("positive", "bools"): _refused("positive", np.bool_),
    **{
        (op, "not_a_tensor"): _call(op, 1.0, kind=eagre.DTypeError, words=["'input'", "float"])
        for op in ("angle", "isreal", "nan_to_num")
    },
    **{
        (op, "not_a_tensor"): _call(
            op, tensor(3), 1.0, kind=eagre.DTypeError, words=["'other'", "float"]
        )
        for op in ("equal", "is_same_size")
    },
    **{
        (op, "dtypes_differ"): _call(
            op, tensor(3), tensor(3, dtype=np.float64), words=["float32", "float64"]
        )
        for op in ("complex", "polar", "isclose", "allclose")
    },
    **{
        (op, "integers"): _refused(op, np.int64, tensor(3, dtype=np.int64))
        for op in ("complex", "polar")
    },
    **{
        (op, "out_of_another_dtype"): _call(
            op, tensor(3), *more, out=tensor(3, dtype=np.complex128), words=[wanted, "complex128"]
        )
        for op, wanted, *more in (
            ("complex", "complex64", tensor(3)),
            ("polar", "complex64", tensor(3)),
            ("isposinf", "bool"),
            ("isneginf", "bool"),
            ("signbit", "bool"),
        )
    },
    **{
        (op, "negative_rtol"): _call(op, tensor(3), tensor(3), rtol=-1, words=["'rtol'", "-1"])
        for op in ("isclose", "allclose")
    },
    ("is_nonzero", "many_elements"): _call("is_nonzero", tensor(3), words=["3 elements"]),
    ("count_nonzero", "dim_out_of_range"): _call(
        "count_nonzero", tensor(3), 3, kind=eagre.IndexOutOfRangeError, words=["'dim'", "3"]
    ),
}
