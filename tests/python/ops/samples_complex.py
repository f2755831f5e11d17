"""Samples of ops/complex.yaml."""

import numpy as np
from mistakes import refused, refused_call, tensor
from samples import COMPLEX, DTYPES, INF, NAN, PAIRS, SHAPES, Sample, each, make
from samples_arithmetic_rounding import sign

import eagre


def angle():
    def compute(a):
        if a.dtype.kind in "fc":
            return np.asarray(np.angle(a) if a.dtype.kind == "c" else np.where(
                np.isnan(a), a, np.where(a < 0, np.pi, 0)), a.real.dtype)  # fmt: skip
        return np.where(a < 0, np.pi, 0).astype(np.float32)

    yield from each(compute, (*DTYPES, *COMPLEX))
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


def sgn():
    yield from sign()
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), a / np.abs(a))
    yield Sample((np.zeros(2, np.complex64),), np.zeros(2, np.complex64))


def conj():
    for dtype in (np.float64, np.int64, *COMPLEX):
        for shape in SHAPES:
            yield Sample((make(shape, dtype),), np.asarray(np.conj(make(shape, dtype))))


BAD = {
    ("angle", "not_a_tensor"): refused_call(
        "angle", 1.0, kind=eagre.DTypeError, words=["'input'", "float"]
    ),
    **{
        (op, "dtypes_differ"): refused_call(
            op, tensor(3), tensor(3, dtype=np.float64), words=["float32", "float64"]
        )
        for op in ("complex", "polar")
    },
    **{
        (op, "integers"): refused(op, np.int64, tensor(3, dtype=np.int64))
        for op in ("complex", "polar")
    },
    **{
        (op, "out_of_another_dtype"): refused_call(
            op, tensor(3), *more, out=tensor(3, dtype=np.complex128), words=[wanted, "complex128"]
        )
        for op, wanted, *more in (
            ("complex", "complex64", tensor(3)),
            ("polar", "complex64", tensor(3)),
            ("sgn", "float32"),
        )
    },
}
