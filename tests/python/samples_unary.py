"""Sample inputs of the unary operators, as in samples.py: `test.samples` of ops/unary.yaml."""

import dataclasses
import math

import numpy as np
import samples
from samples import COMPLEX, Sample, away_from_zero, in_floats, make, strided, unary

import eagre


def everywhere(a):
    return a


def positive(a):
    return np.asarray(np.abs(away_from_zero(a)))


def scaled(factor):
    """Floats brought into a domain around 0; integers stay."""
    return lambda a: np.asarray(a * a.dtype.type(factor)) if a.dtype.kind == "f" else a


def element_by_element(function):
    """For functions that NumPy lacks; in double."""

    def compute(a):
        values = [function(float(x)) for x in np.asarray(a).ravel()]
        return np.asarray(values, a.dtype).reshape(a.shape)

    return compute


def with_values(name, domain, values):
    """The NumPy function of this name at all shapes and dtypes, and at values of both floats. With
    NaN among them they are left out where derivatives are compared with differences."""
    compute = getattr(np, name)

    def function():
        yield from in_floats(compute, domain)
        for dtype in samples.FLOATS:
            a = np.asarray([*values, np.nan], dtype)
            with np.errstate(all="ignore"):
                yield Sample((a,), compute(a))
        for dtype in COMPLEX:
            for shape in ((2, 3), (), (0,)):
                yield Sample((make(shape, dtype),), np.asarray(compute(make(shape, dtype))))
            yield Sample((strided((3, 2), dtype),), compute(strided((3, 2), dtype)))

    return function


expm1 = with_values("expm1", everywhere, [1e-10, -1e-10, 50, -50, 1e-40])
log = with_values("log", positive, [1e-300, 1e-40, 1, 1e30, -1, 0])
log2 = with_values("log2", positive, [2.0**-140, 1, 8, 1e30, -1, 0])
log10 = with_values("log10", positive, [1e-40, 1, 1000, 1e30, -1, 0])
log1p = with_values("log1p", positive, [1e-10, -1e-10, -0.75, 1e30, -1, -2])
sin = with_values("sin", everywhere, [np.pi, 100, 1e5, 1e7, -1e20])
cos = with_values("cos", everywhere, [np.pi / 2, 100, 1e5, 1e7, -1e20])
tan = with_values("tan", scaled(0.5), [np.pi, 100, 1e5, 1e7, -1e20])
asin = with_values("arcsin", scaled(0.4), [1, -1, 0.5, 1.5, 1e-20])
acos = with_values("arccos", scaled(0.4), [1, -1, 0.5, 1.5, 1e-20])
atan = with_values("arctan", everywhere, [1, -1, 1e20, 1e-20])
sinh = with_values("sinh", everywhere, [20, -20, 89, 1e-20])
cosh = with_values("cosh", everywhere, [20, -20, 89, 1e-20])
tanh = with_values("tanh", everywhere, [20, -20, 0.55, 1e-20])


def rsqrt():
    yield from in_floats(lambda a: 1 / np.sqrt(a), positive)
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), 1 / np.sqrt(a))


def sigmoid_of(x):
    return 0.0 if x < -700 else 1 / (1 + math.exp(-x))


def sigmoid():
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), 1 / (1 + np.exp(-a)))
    yield from in_floats(element_by_element(sigmoid_of), everywhere)
    a = np.asarray([-80, -20, 20, 80], np.float32)
    yield Sample((a,), element_by_element(sigmoid_of)(a))


def erf():
    yield from in_floats(element_by_element(math.erf), everywhere)
    a = np.asarray([-5, -1, 0.999, 1, 3.9, 1e-20])
    yield Sample((a,), element_by_element(math.erf)(a))


def sign():
    def compute(a):
        return np.asarray((a > 0).astype(a.dtype) if a.dtype == bool else np.sign(a))

    yield from unary(lambda a: Sample((a,), np.nan_to_num(compute(a))), NUMBERS_AND_BOOL)


INTEGERS = (np.uint8, np.int8, np.int16, np.int32, np.int64)
NUMBERS_AND_BOOL = (np.bool_, *INTEGERS, np.float16, np.float32, np.float64)


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


def in_given_floats(function, limits):
    """Integers are refused; the limits at -inf, inf and NaN are given."""
    compute = element_by_element(function)
    for dtype in (np.float64, np.float32, np.float16):
        for shape in samples.SHAPES:
            a = make(shape, dtype)
            yield Sample((a,), compute(a))
        yield Sample((strided((3, 2), dtype),), compute(strided((3, 2), dtype)))
        a = np.asarray([-np.inf, np.inf, np.nan], dtype)
        yield Sample((a,), np.asarray(limits, dtype))
    for dtype in samples.FLOATS:
        a = np.asarray([-20, -6, -4.5, -3, 5, 6, 30, 1e-20, -1e-20], dtype)
        yield Sample((a,), compute(a))


def round_decimals():
    for dtype in (np.float64, np.float32):
        a = make((3, 4), dtype) * 10
        for decimals in (0, 2, -1):
            yield Sample((a,), np.round(a, decimals), {"decimals": decimals})
    yield Sample((np.asarray([np.nan, np.inf, -0.0]),), np.asarray([np.nan, np.inf, -0.0]),
                 {"decimals": 1})  # fmt: skip


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


def sgn():
    yield from sign()
    for dtype in samples.COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), a / np.abs(a))
    yield Sample((np.zeros(2, np.complex64),), np.zeros(2, np.complex64))


def conj():
    for dtype in (np.float64, np.int64, *samples.COMPLEX):
        for shape in samples.SHAPES:
            yield Sample((make(shape, dtype),), np.asarray(np.conj(make(shape, dtype))))


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


def _refused(op, dtype):
    def call():
        getattr(eagre, op)(eagre.tensor(make((3,), dtype)))

    return call, eagre.UnimplementedError, [f"{op}()", np.dtype(dtype).name]


for _op in ("abs", "ceil", "floor", "round", "trunc", "relu"):
    samples.BAD[_op, "bools"] = _refused(_op, np.bool_)
samples.BAD["gelu_approximate", "approximate"] = (
    lambda: eagre.gelu(eagre.tensor([1.0]), approximate="sinh"),
    eagre.InvalidArgumentError,
    ["gelu()", "'approximate'", "'none'", "'tanh'", "'sinh'"],
)
for _op in ("silu", "gelu", "softplus"):
    samples.BAD[_op, "integers"] = _refused(_op, np.int64)
samples.BAD["round_decimals", "integers"] = (
    lambda: eagre.round(eagre.tensor([1, 25]), decimals=-1),
    eagre.UnimplementedError,
    ["round()", "'decimals'", "int64"],
)
