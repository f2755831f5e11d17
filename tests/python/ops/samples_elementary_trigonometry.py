"""Samples of ops/elementary_trigonometry.yaml."""

import numpy as np
from mistakes import refused, tensor
from samples import (
    PAIRS,
    SHAPES,
    Sample,
    away_from_zero,
    everywhere,
    in_floats,
    make,
    strided,
    with_values,
)

import eagre


def atan2():
    def sample(a, b):
        exact = np.arctan2(a, b)
        whole = np.result_type(a, b).kind in "iub"
        return Sample((a, b), np.asarray(exact, np.float32 if whole else exact.dtype))

    for dtype in (np.float64, np.float32, np.int64, np.int32):
        for shape in SHAPES:
            yield sample(make(shape, dtype, 1), make(shape, dtype, 2))
    for left, right in PAIRS:
        yield sample(make(left, seed=1), make(right, seed=2))
    yield sample(strided((3, 2), seed=1), strided((3, 2), seed=2))
    ends = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1])
    for other in ends:
        yield sample(ends, np.full(7, other))


def scaled(factor):
    """Floats brought into a domain around 0; integers stay."""
    return lambda a: np.asarray(a * a.dtype.type(factor)) if a.dtype.kind == "f" else a


def _above_one(a):
    return np.asarray(np.abs(away_from_zero(a)) + a.dtype.type(1)) if a.dtype.kind == "f" else a


asinh = with_values("arcsinh", everywhere, [1e-20, 1e30, -3])
acosh = with_values("arccosh", _above_one, [1, 1e30, 0.5, -1])
atanh = with_values("arctanh", scaled(0.4), [0.5, 1, -1, 2, 1e-20])


def _angles(factor):
    def function():
        def compute(a):
            return np.asarray(a * a.dtype.type(factor))

        yield from in_floats(compute, everywhere)

    return function


deg2rad = _angles(np.pi / 180)
rad2deg = _angles(180 / np.pi)


sin = with_values("sin", everywhere, [np.pi, 100, 1e5, 1e7, -1e20])
cos = with_values("cos", everywhere, [np.pi / 2, 100, 1e5, 1e7, -1e20])
tan = with_values("tan", scaled(0.5), [np.pi, 100, 1e5, 1e7, -1e20])
asin = with_values("arcsin", scaled(0.4), [1, -1, 0.5, 1.5, 1e-20])
acos = with_values("arccos", scaled(0.4), [1, -1, 0.5, 1.5, 1e-20])
atan = with_values("arctan", everywhere, [1, -1, 1e20, 1e-20])
sinh = with_values("sinh", everywhere, [20, -20, 89, 1e-20])
cosh = with_values("cosh", everywhere, [20, -20, 89, 1e-20])
tanh = with_values("tanh", everywhere, [20, -20, 0.55, 1e-20])


BAD = {
    ("atan2", "shapes_do_not_broadcast"): (
        lambda: eagre.atan2(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        ["atan2()", "[4]", "[3]"],
    ),
    **{(op, "complex_input"): refused(op, np.complex64) for op in ("deg2rad", "rad2deg")},
    **{
        (op, "integer_out"): (
            lambda op=op: getattr(eagre, op)(tensor(2), out=tensor(2, dtype=np.int64)),
            eagre.DTypeError,
            [f"{op}()", "float32", "int64", "'out'"],
        )
        for op in ("asinh", "acosh", "atanh")
    },
}
