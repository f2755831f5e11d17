"""Samples of ops/activation_piecewise.yaml."""

import numpy as np
from mistakes import refused, refused_call, tensor
from samples import FLOATS, INTEGERS, SHAPES, Sample, make, strided

import eagre

HALVES_TOO = (np.float64, np.float32, np.float16)
EDGES = np.asarray([-np.inf, -7, -3, -1, -0.5, -0.0, 0, 0.5, 1, 3, 7, np.inf, np.nan])


def with_numbers(compute, *choices, dtypes=HALVES_TOO):
    """`choices`: tuples of the numbers behind the input; () stands for the defaults."""
    for dtype in dtypes:
        for shape in SHAPES:
            a = make(shape, dtype)
            yield Sample((a,), compute(a).astype(dtype))
        a = strided((3, 2), dtype)
        yield Sample((a,), compute(a).astype(dtype))
    for numbers in ((), *choices):
        for dtype in FLOATS:
            with np.errstate(invalid="ignore"):
                expected = compute(EDGES.astype(dtype), *numbers)
            yield Sample((EDGES.astype(dtype), *numbers), expected.astype(dtype))


def leaky_relu():
    def compute(a, slope=0.01):
        return np.where(a > 0, a, a * a.dtype.type(slope))

    yield from with_numbers(compute, (0.5,), (-2,), (0,))


def prelu():
    for dtype in HALVES_TOO:
        for shape in ((3,), (2, 3), (2, 3, 2), (0, 3), (2, 3, 1, 2)):
            a = make(shape, dtype)
            one = np.asarray([0.25], dtype)
            yield Sample((a, one), np.where(a > 0, a, a * one))
            if len(shape) > 1:
                w = make((3,), dtype, seed=1)
                wide = w.reshape(1, 3, *[1] * (len(shape) - 2))
                yield Sample((a, w), np.where(a > 0, a, a * wide))
    number = np.asarray(0.25)
    a = make((2, 3))
    yield Sample((a, number), np.where(a > 0, a, a * number))
    yield Sample((np.asarray(-2.0), np.asarray([0.5])), np.asarray(-1.0))


def hardtanh():
    def compute(a, low=-1, high=1):
        return np.clip(a, low, high)

    yield from with_numbers(compute, (-0.25, 0.75), (0, 0), (-np.inf, 2.0))
    for dtype in INTEGERS:
        a = make((3, 4), dtype)
        low, high = (2, 9) if dtype is np.uint8 else (-3, 5)
        yield Sample((a, low, high), np.clip(a, low, high))
        yield Sample((a, low + 0.5, high + 0.5), np.clip(a, low + (low < 0), high))


def hardshrink():
    def compute(a, lambd=0.5):
        return np.where((a >= -lambd) & (a <= lambd), 0, a)

    yield from with_numbers(compute, (2,), (0.0,))


def softshrink():
    def compute(a, lambd=0.5):
        return np.where(np.isnan(a), a, np.sign(a) * np.maximum(np.abs(a) - lambd, 0))

    yield from with_numbers(compute, (2,), (0.0,))


def threshold():
    for dtype in (*HALVES_TOO, *INTEGERS):
        for shape in SHAPES:
            a = make(shape, dtype)
            yield Sample((a, 1, 20), np.where(a <= 1, 20, a).astype(dtype))
    a = np.asarray([np.nan, np.inf, -np.inf, 1.0, 0.5])
    yield Sample((a, 0.5, -7.5), np.asarray([np.nan, np.inf, -7.5, 1.0, -7.5]))
    yield Sample((strided((3, 2)), 0, 0), np.maximum(strided((3, 2)), 0))


BAD = {
    **{
        (op, "integers"): refused(op, np.int64)
        for op in ("leaky_relu", "hardsigmoid", "hardswish", "hardshrink", "softshrink")
    },
    **{(op, "bools"): refused(op, np.bool_) for op in ("hardtanh", "relu6")},
    ("threshold", "bools"): refused("threshold", np.bool_, 0, 1),
    ("threshold", "value"): refused_call(
        "threshold", tensor(2, dtype=np.uint8), 0, 300, words=["'value'", "uint8", "300"]
    ),
    ("hardtanh", "limits"): refused_call(
        "hardtanh", tensor(2), 2, 1.5, words=["'min_val'", "'max_val'", "1.5", "2"]
    ),
    ("softshrink", "negative"): refused_call("softshrink", tensor(2), -1, words=["'lambd'", "-1"]),
    ("prelu", "integers"): refused("prelu", np.int64, eagre.tensor([1])),
    ("prelu", "channels"): refused_call(
        "prelu", tensor(2, 3), tensor(2), words=["'weight'", "3", "[2]"]
    ),
    ("prelu", "weight_matrix"): refused_call(
        "prelu", tensor(2, 3), tensor(3, 1), words=["'weight'", "[3, 1]"]
    ),
    ("prelu", "no_channels"): refused_call(
        "prelu", tensor(), tensor(3), words=["'input'", "0-dim"]
    ),
    ("prelu", "another_dtype"): refused_call(
        "prelu", tensor(3), tensor(1, dtype=np.float64), words=["'weight'", "float64"]
    ),
}
