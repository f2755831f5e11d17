"""Samples of ops/activation_smooth.yaml."""

import math

import numpy as np
from mistakes import refused, refused_call, tensor
from samples import COMPLEX, INTEGERS, Sample, element_by_element, in_floats, make
from samples_activation import in_given_floats


def _with_alpha(function, *alphas):
    yield from in_given_floats(function, [function(-800.0), np.inf, np.nan], is_smooth=False)
    a = make((2, 3))
    for alpha in alphas:
        compute = element_by_element(lambda x, alpha=alpha: function(x, alpha))
        yield Sample((a, alpha), compute(a))


def elu():
    yield from _with_alpha(lambda x, alpha=1.0: x if x > 0 else alpha * math.expm1(x), 2, -0.5)


def celu():
    def function(x, alpha=1.0):
        return x if x > 0 else alpha * math.expm1(x / alpha)

    yield from _with_alpha(function, 2, 0.5)


def selu():
    alpha, scale = 1.6732632423543772, 1.0507009873554805

    def function(x):
        return scale * (x if x > 0 else alpha * math.expm1(x))

    yield from in_given_floats(function, [-alpha * scale, np.inf, np.nan], is_smooth=False)


def tanhshrink():
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), a - np.tanh(a))
    for sample in in_floats(lambda a: a - np.tanh(a), lambda a: a):
        if sample.args[0].dtype != np.bool_:
            yield sample


def log_sigmoid():
    def function(x):
        return min(x, 0.0) - math.log1p(math.exp(-abs(x)))

    yield from in_given_floats(function, [-np.inf, 0, np.nan])


def softsign():
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), a / (1 + np.abs(a)))
    yield from in_given_floats(
        lambda x: x / (1 + abs(x)), [np.nan, np.nan, np.nan], is_smooth=False
    )
    for dtype in INTEGERS:
        a = make((3,), dtype)
        wide = a.astype(np.float32)
        yield Sample((a,), wide / (1 + np.abs(wide)))


def mish():
    def function(x):
        return x * math.tanh(math.log1p(math.exp(x)) if x < 30 else x)

    yield from in_given_floats(function, [np.nan, np.inf, np.nan])


BAD = {
    **{
        (op, "integers"): refused(op, np.int64)
        for op in ("elu", "celu", "selu", "log_sigmoid", "mish")
    },
    **{(op, "bools"): refused(op, np.bool_) for op in ("tanhshrink", "softsign")},
    ("celu", "zero"): refused_call("celu", tensor(2), 0, words=["'alpha'", "0"]),
}
