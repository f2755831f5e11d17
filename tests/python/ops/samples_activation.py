"""Samples of ops/activation.yaml."""

import dataclasses
import math

import numpy as np
from mistakes import refused, tensor
from samples import (
    COMPLEX,
    FLOATS,
    SHAPES,
    Sample,
    element_by_element,
    everywhere,
    in_floats,
    make,
    strided,
)

import eagre


def softmax_of(a, dim):
    e = np.exp(a - a.max(axis=dim, keepdims=True))
    return e / e.sum(axis=dim, keepdims=True)


def _along(compute):
    for dtype in FLOATS:
        for shape, dim in (((3,), 0), ((2, 3), 1), ((2, 3), 0), ((2, 3, 2), 1), ((2, 3), -2)):
            yield Sample((make(shape, dtype), dim), compute(make(shape, dtype), dim).astype(dtype))
    half = make((2, 3), np.float16)
    yield Sample((half, 1), compute(half.astype(np.float32), 1).astype(np.float16))
    yield Sample((strided((3, 2)), 1), compute(strided((3, 2)), 1))
    yield Sample((np.asarray([1000.0, 1000.0]), 0), compute(np.asarray([0.0, 0.0]), 0))
    yield Sample((make((3,), np.float32), 0), compute(make((3,), np.float32).astype(np.float64), 0),
                 {"dtype": eagre.float64}, tolerance=1e-7)  # fmt: skip
    yield Sample((make((2, 0)), 0), np.zeros((2, 0)))
    yield Sample((make((0, 2)), 0), np.zeros((0, 2)))
    yield Sample((make(()), 0), compute(make((1,)), 0).reshape(()))
    yield Sample((np.asarray([np.nan, 1.0]), 0), np.full(2, np.nan))
    wide = make((3, 5000), np.float32)
    yield Sample((wide, 1), compute(wide.astype(np.float64), 1).astype(np.float32))


def softmax():
    yield from _along(softmax_of)


def softmin():
    for dtype in FLOATS:
        for shape, dim in (((3,), 0), ((2, 3), 1), ((2, 3), -2), ((2, 0), 0)):
            a = make(shape, dtype)
            yield Sample((a, dim), softmax_of(-a, dim))
    whole = make((3,), np.int64)
    yield Sample((whole, 0), softmax_of(-whole.astype(np.float64), 0), {"dtype": eagre.float64})


def log_softmax():
    yield from _along(lambda a, dim: np.log(softmax_of(a, dim)))


def sigmoid_of(x):
    return 0.0 if x < -700 else 1 / (1 + math.exp(-x))


def sigmoid():
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), 1 / (1 + np.exp(-a)))
    yield from in_floats(element_by_element(sigmoid_of), everywhere)
    a = np.asarray([-80, -20, 20, 80], np.float32)
    yield Sample((a,), element_by_element(sigmoid_of)(a))


def in_given_floats(function, limits, is_smooth=True):
    """Integers are refused; the limits at -inf, inf and NaN are given. Derivatives of what is
    not smooth are not compared close to 0."""
    compute = element_by_element(function)
    for dtype in (np.float64, np.float32, np.float16):
        for shape in SHAPES:
            a = make(shape, dtype)
            yield Sample((a,), compute(a))
        yield Sample((strided((3, 2), dtype),), compute(strided((3, 2), dtype)))
        a = np.asarray([-np.inf, np.inf, np.nan], dtype)
        yield Sample((a,), np.asarray(limits, dtype))
    for dtype in FLOATS:
        for edges in ([-20, -6, -4.5, -3, 5, 6, 30], [1e-20, -1e-20]):
            if is_smooth or dtype is np.float32 or len(edges) > 2:
                a = np.asarray(edges, dtype)
                yield Sample((a,), compute(a))


def silu():
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), a / (1 + np.exp(-a)))
    yield from in_given_floats(lambda x: x * sigmoid_of(x), [0, np.inf, np.nan])


def gelu():
    def exact(x):
        return x * 0.5 * math.erfc(-x / math.sqrt(2))

    yield from in_given_floats(exact, [0, np.inf, np.nan])


def gelu_approximate():
    def exact(x):
        return x * 0.5 * math.erfc(-x / math.sqrt(2))

    def with_tanh(x):
        return x * sigmoid_of(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))

    for name, function in (("none", exact), ("tanh", with_tanh)):
        for sample in in_given_floats(function, [0, np.inf, np.nan]):
            yield dataclasses.replace(sample, kwargs={"approximate": name})


def softplus():
    def plain(x, beta=1.0, threshold=20.0):
        return x if x * beta > threshold else math.log1p(math.exp(x * beta)) / beta

    yield from in_given_floats(plain, [0, np.inf, np.nan])
    a = make((2, 3))
    doubled = element_by_element(lambda x: plain(x, 2.0))(a)
    yield Sample((a, 2), doubled)
    yield Sample((a,), doubled, {"beta": 2.0})
    low = element_by_element(lambda x: plain(x, 3.0, 0.5))(a)
    yield Sample((a,), low, {"beta": 3, "threshold": 0.5})


BAD = {
    **{
        (n, "dim_out_of_range"): (
            lambda n=n: getattr(eagre, n)(tensor(2, 3), 2),
            eagre.IndexOutOfRangeError,
            [f"{n}()", "'dim'", "range of [-2, 1]"],
        )
        for n in ("softmax", "log_softmax", "softmin")
    },
    **{
        (n, "integers"): (
            lambda n=n: getattr(eagre, n)(tensor(2, 3, dtype=np.int64), 0),
            eagre.UnimplementedError,
            [f"{n}()", "int64"],
        )
        for n in ("softmax", "log_softmax", "softmin")
    },
    ("relu", "bools"): refused("relu", np.bool_),
    ("gelu_approximate", "approximate"): (
        lambda: eagre.gelu(eagre.tensor([1.0]), approximate="sinh"),
        eagre.InvalidArgumentError,
        ["gelu()", "'approximate'", "'none'", "'tanh'", "'sinh'"],
    ),
    **{
        (op, "integers"): refused(op, np.int64)
        for op in (
            "silu",
            "gelu",
            "softplus",
        )
    },
}
