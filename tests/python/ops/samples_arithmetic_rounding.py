"""Samples of ops/arithmetic_rounding.yaml."""

import numpy as np
from mistakes import refused, refused_call, tensor
from samples import (
    COMPLEX,
    DTYPES,
    HALVES_TOO,
    INF,
    INTEGERS,
    NAN,
    NUMBERS_AND_BOOL,
    SPECIAL,
    Sample,
    binary,
    each,
    make,
    pairs_of,
    unary,
)

import eagre


def copysign():
    yield from pairs_of(np.copysign, numbers=(2, -2.5, True))
    a, b = np.asarray([1.0, -1, 0, NAN, INF]), np.asarray([-0.0, 0.0, -1, -1, -INF])
    yield Sample((a, b), np.copysign(a, b))
    whole = np.asarray([1, -2])
    yield Sample((whole, whole), np.asarray([1, -2], np.float32))


def heaviside():
    def compute(a, b):
        return np.asarray(np.where(a == 0, b, (a > 0).astype(a.dtype)), a.dtype)

    dtypes = (np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, *HALVES_TOO)
    yield from binary(compute, dtypes, numbers=False)
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

    yield from each(compute, DTYPES)
    large = np.asarray([2**63, 1], np.uint64)
    yield Sample((large,), np.asarray([False, False]))


def nan_to_num():
    yield from each(np.nan_to_num, (*DTYPES, *COMPLEX))
    for dtype in HALVES_TOO:
        a = SPECIAL.astype(dtype)
        yield Sample((a,), np.nan_to_num(a))
        yield Sample((a, 5.0), np.nan_to_num(a, nan=5.0))
        yield Sample((a,), np.nan_to_num(a, nan=1, posinf=2, neginf=3),
                     {"nan": 1, "posinf": 2, "neginf": 3})  # fmt: skip
    z = np.asarray([complex(NAN, INF), complex(-INF, 1)])
    yield Sample((z,), np.nan_to_num(z))


def sign():
    def compute(a):
        return np.asarray((a > 0).astype(a.dtype) if a.dtype == bool else np.sign(a))

    yield from unary(lambda a: Sample((a,), np.nan_to_num(compute(a))), NUMBERS_AND_BOOL)


def rounded(compute):
    """Integers stay, with their dtype."""

    def function():
        def sample(a):
            return Sample((a,), a if a.dtype.kind in "iu" else np.asarray(compute(a)))

        yield from unary(sample, (*INTEGERS, np.float16, np.float32, np.float64))
        yield sample(np.asarray([0.3, 1.3, 1.7, -0.3, -1.7]))
        yield sample(np.asarray([0.5, 1.5, 2.5, -0.5, -1.5, 1e30, 8388609], np.float32))

    return function


ceil = rounded(np.ceil)
floor = rounded(np.floor)
round = rounded(np.round)  # noqa: A001  the operator's name
trunc = rounded(np.trunc)


def round_decimals():
    for dtype in (np.float64, np.float32):
        a = make((3, 4), dtype) * 10
        for decimals in (0, 2, -1):
            yield Sample((a,), np.round(a, decimals), {"decimals": decimals})
    yield Sample((np.asarray([np.nan, np.inf, -0.0]),), np.asarray([np.nan, np.inf, -0.0]),
                 {"decimals": 1})  # fmt: skip


BAD = {
    **{
        (op, "shapes_do_not_broadcast"): refused_call(
            op, tensor(4), tensor(3), words=["[4]", "[3]"]
        )
        for op in ("copysign", "heaviside", "nextafter")
    },
    ("copysign", "complex_input"): refused("copysign", np.complex64, tensor(3)),
    ("signbit", "complex_input"): refused("signbit", np.complex64),
    ("heaviside", "dtypes_differ"): refused_call(
        "heaviside", tensor(3), tensor(3, dtype=np.float64), words=["'values'", "float64"]
    ),
    ("nextafter", "integers"): refused("nextafter", np.int64, tensor(3, dtype=np.int64)),
    ("frac", "integers"): refused("frac", np.int64),
    ("nan_to_num", "not_a_tensor"): refused_call(
        "nan_to_num", 1.0, kind=eagre.DTypeError, words=["'input'", "float"]
    ),
    **{
        (op, "out_of_another_dtype"): refused_call(
            op, tensor(3), *more, out=tensor(3, dtype=np.complex128), words=[wanted, "complex128"]
        )
        for op, wanted, *more in (("signbit", "bool"),)
    },
    **{
        (op, "bools"): refused(op, np.bool_)
        for op in (
            "ceil",
            "floor",
            "round",
            "trunc",
        )
    },
    ("round_decimals", "integers"): (
        lambda: eagre.round(eagre.tensor([1, 25]), decimals=-1),
        eagre.UnimplementedError,
        ["round()", "'decimals'", "int64"],
    ),
}
