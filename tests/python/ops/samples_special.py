"""Samples of ops/special.yaml."""

import math

import numpy as np
from mistakes import does_not_broadcast, integers, refused, tensor
from samples import (
    COMPLEX,
    FLOATS,
    HALVES_TOO,
    INF,
    NAN,
    SHAPES,
    Sample,
    away_from_zero,
    element_by_element,
    everywhere,
    in_floats,
    make,
    pairs_of,
)

import eagre


def erfc():
    yield from in_floats(element_by_element(math.erfc), everywhere)
    a = np.asarray([-5, -1, 0.999, 1, 9, 26, 1e-20])
    yield Sample((a,), element_by_element(math.erfc)(a), tolerance=1e-13)


def sinc():
    yield from in_floats(np.sinc, away_from_zero)
    yield Sample((np.asarray([NAN, 0.0, -0.0, 3, 1e-20]),), np.asarray([NAN, 1, 1, 0, 1]))
    for dtype in COMPLEX:
        yield Sample((make((2, 3), dtype),), np.sinc(make((2, 3), dtype)))
    yield Sample((np.asarray([0j, NAN]),), np.asarray([1, NAN * (1 + 1j)]))


def logit():
    def compute(p):
        with np.errstate(all="ignore"):
            return np.asarray(np.log(p / (1 - p)))

    for dtype in HALVES_TOO:
        for shape in SHAPES:
            p = np.asarray(1 / (1 + np.exp(-make(shape, dtype))), dtype)
            yield Sample((p,), compute(p))
    edges = np.asarray([NAN, 0, 1, -1, 2])
    yield Sample((edges,), compute(edges))
    yield Sample((np.asarray([0, 1]),), np.asarray([-INF, INF], np.float32))
    p = np.asarray([0.001, 0.3, 0.999])
    yield Sample((p, 0.1), compute(np.clip(p, 0.1, 0.9)))
    yield Sample((p,), compute(np.clip(p, 0.01, 0.99)), {"eps": 0.01})
    yield Sample((p,), compute(np.asarray([0.7, 0.7, 0.3])), {"eps": 0.7})  # which cross


def _xlogy(a, b):
    with np.errstate(all="ignore"):
        b = np.asarray(b)
        return np.asarray(np.where((a == 0) & ~np.isnan(b), 0, a * np.log(b)), np.result_type(a, b))


def _positive(a):
    return np.asarray(np.abs(away_from_zero(a)))


def xlogy():
    yield from pairs_of(_xlogy, domain=_positive, numbers=(2, 2.5, True))
    a, b = np.asarray([0.0, 0, 0, 1, 2, NAN]), np.asarray([0, NAN, INF, 0, -1, 1])
    yield Sample((a, b), _xlogy(a, b))
    whole = np.asarray([0, 3])
    yield Sample((whole, whole), np.asarray([0, 3 * np.log(3)], np.float32))
    yield Sample((np.asarray([0.0, NAN]), 0), np.asarray([0, NAN]))


def xlogy_number():
    b = _positive(make((2, 3)))
    yield Sample((2, b), 2 * np.log(b))
    yield Sample((0, b), 0 * b)
    yield Sample((0.5, np.asarray([1, 2])), 0.5 * np.log(np.asarray([1, 2], np.float32)))


def _xlog1py(a, b):
    with np.errstate(all="ignore"):
        b = np.asarray(b)
        terms = np.where((a == 0) & ~np.isnan(b), 0, a * np.log1p(b))
        return np.asarray(terms, np.result_type(a, b))


def special_xlog1py():
    yield from pairs_of(_xlog1py, domain=_positive, numbers=(2, 2.5))
    a, b = np.asarray([0.0, 0, 0, 1, 2, NAN]), np.asarray([-1, NAN, INF, -1, -2, 1])
    yield Sample((a, b), _xlog1py(a, b))
    yield Sample((np.asarray([0.0, NAN]), -1), np.asarray([0, NAN]))


def special_xlog1py_number():
    b = _positive(make((2, 3)))
    yield Sample((2, b), 2 * np.log1p(b))
    yield Sample((0.5, np.asarray([1, 2])), 0.5 * np.log1p(np.asarray([1, 2], np.float32)))


def lgamma():
    yield from in_floats(element_by_element(lambda x: math.lgamma(x) if x else INF), _positive)
    a = np.asarray([NAN, 1e-20, 0.5, 170.5, 1e10, -0.5, -1.5])  # too steep for differences
    yield Sample((a,), element_by_element(math.lgamma)(a))
    yield Sample((np.asarray([NAN, 0, -1, INF, -INF]),), np.asarray([NAN, INF, INF, INF, INF]))


def _digamma(x):
    """By steps up to 30, and the first terms of the asymptotic series there."""
    below = 0.0
    while x < 30:
        below, x = below - (1 / x if x else INF), x + 1
    series = 1 / (12 * x**2) - 1 / (120 * x**4) + 1 / (252 * x**6) if x < 1e9 else 0
    return below + math.log(x) - 0.5 / x - series


def zeta_of(x, order):
    terms = [(x + k) ** -order for k in range(120)]
    end = x + 120
    rest = end ** (1 - order) / (order - 1) + end**-order / 2 + order * end ** (-order - 1) / 12
    rest -= order * (order + 1) * (order + 2) * end ** (-order - 3) / 720
    return math.fsum(terms) + rest


def digamma():
    yield from in_floats(element_by_element(_digamma), _positive)
    a = np.asarray([NAN, 1e-10, 0.5, 170.5, 1e10, -0.5, -1.25, -100.75])
    yield Sample((a,), element_by_element(_digamma)(a))
    edges = np.asarray([NAN, 0.0, -0.0, -1, INF, -INF])
    yield Sample((edges,), np.asarray([NAN, -INF, INF, NAN, INF, NAN]))


def _polygamma(n, x):
    return (-1) ** (n + 1) * math.factorial(n) * zeta_of(x, n + 1)


def polygamma():
    a = np.asarray([[1.5, 1, 2.25], [7, 20.5, 300]])
    for n in (1, 2, 5):
        for dtype in FLOATS:
            values = [_polygamma(n, x) for x in a.ravel()]
            expected = np.asarray(values, dtype).reshape(2, 3)
            yield Sample((n, a.astype(dtype)), expected, tolerance=1e-11 if n < 5 else 1e-6)
    yield Sample((0, a), element_by_element(_digamma)(a))
    below = np.asarray([-0.5, -2.25, -33.75])
    for n in (1, 2):
        yield Sample((n, below), np.asarray([_polygamma(n, x) for x in below]))
    # A pole of even order, and two of odd order.
    yield Sample((1, np.asarray([NAN, 0, -3, INF])), np.asarray([NAN, INF, INF, 0]))
    yield Sample((1, np.asarray([1, 2])), np.asarray([np.pi**2 / 6, np.pi**2 / 6 - 1], np.float32))


def polygamma_method():
    for sample in polygamma():
        n, a = sample.args
        yield Sample((a, n), sample.expected, tolerance=sample.tolerance)


def erfinv():
    for dtype in FLOATS:
        for shape in SHAPES:
            y = np.asarray(make(shape, dtype) / dtype(2))
            x = element_by_element(math.erf)(y)
            # From x as it was rounded, whose error grows with the slope.
            yield Sample((x,), y, tolerance=1e-13 if dtype is np.float64 else 1e-4)
    y = np.asarray([NAN, 1e-20, 1e-3, 0.4, 0.5, 1.0, 2.0])
    yield Sample((element_by_element(math.erf)(y),), y, tolerance=1e-13)
    near_one = np.asarray([1 - 2.0**-50, -(1 - 2.0**-53), 0.75])
    back = element_by_element(lambda y: math.copysign(math.erfc(abs(y)), y))

    def check(result):
        wanted = [2.0**-50, -(2.0**-53), 0.25]
        np.testing.assert_allclose(back(result.detach().numpy()), wanted, rtol=1e-13)

    yield Sample((near_one,), check)
    yield Sample((np.asarray([NAN, 1, -1, 2, 0]),), np.asarray([NAN, INF, -INF, NAN, 0]))


def i0():
    def by_series(x):
        return math.fsum((x / 2) ** (2 * k) / math.factorial(k) ** 2 for k in range(80))

    yield from in_floats(element_by_element(by_series), everywhere)
    a = np.asarray([NAN, 0.0, 1e-10, 3, -3.5, 20, -40])
    yield Sample((a,), element_by_element(by_series)(a))
    yield Sample((np.asarray([NAN, INF, -INF, 1e30]),), np.asarray([NAN, INF, INF, INF]))


def erf():
    yield from in_floats(element_by_element(math.erf), everywhere)
    a = np.asarray([-5, -1, 0.999, 1, 3.9, 1e-20])
    yield Sample((a,), element_by_element(math.erf)(a))


BAD = {
    ("erfc", "complex_input"): refused("erfc", np.complex64),
    **{
        (op, "complex_input"): refused(op, np.complex64)
        for op in ("logit", "lgamma", "digamma", "erfinv", "i0")
    },
    ("polygamma", "complex_input"): (
        lambda: eagre.polygamma(1, tensor(3, dtype=np.complex64)),
        eagre.UnimplementedError,
        ["polygamma()", "complex64"],
    ),
    ("polygamma", "negative_order"): (
        lambda: eagre.polygamma(-1, tensor(3)),
        eagre.InvalidArgumentError,
        ["polygamma()", "'n'", "-1"],
    ),
    ("polygamma_method", "negative_order"): (
        lambda: tensor(3).polygamma(-1),
        eagre.InvalidArgumentError,
        ["polygamma()", "'n'", "-1"],
    ),
    ("xlogy", "complex_input"): refused("xlogy", np.complex64, tensor(3)),
    ("xlogy", "shapes_do_not_broadcast"): does_not_broadcast("xlogy"),
    ("xlogy_number", "complex_number"): (
        lambda: eagre.xlogy(2j, tensor(3)),
        eagre.UnimplementedError,
        ["xlogy()", "complex64"],
    ),
    ("sinc", "integer_out"): (
        lambda: eagre.sinc(tensor(2), out=tensor(2, dtype=np.int64)),
        eagre.DTypeError,
        ["sinc()", "float32", "int64", "'out'"],
    ),
}


def _everywhere_of(finite, least, most, *more):
    """In floats at random places, with the limits at both ends, and at places that matter, where
    differences tell little about gradients."""

    def function(x):
        return finite(x) if math.isfinite(x) else NAN if math.isnan(x) else most if x > 0 else least

    def generate():
        yield from in_floats(element_by_element(function), everywhere)
        if more:
            a = np.asarray(more, np.float32)
            yield Sample((a,), element_by_element(function)(a))

    return generate


def _erfcx(x):
    """By its continued fraction where the product overflows."""
    if x < 5:
        return math.exp(x * x) * math.erfc(x)
    fraction = x
    for k in range(200, 0, -1):
        fraction = x + k / 2 / fraction
    return 1 / math.sqrt(math.pi) / fraction


def _ndtr(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def _log_ndtr(x):
    if x > -5:
        return math.log1p(-_ndtr(-x)) if x > 0 else math.log(_ndtr(x))
    return math.log(_erfcx(-x / math.sqrt(2)) / 2) - x * x / 2


def _bessel(order):
    def by_series(x):
        terms = ((x / 2) ** (2 * k + order) / math.factorial(k) / math.factorial(k + order)
                 for k in range(100))  # fmt: skip
        return math.fsum(terms)

    return by_series


def _scaled(order):
    return lambda x: _bessel(order)(x) * math.exp(-abs(x))


special_erfcx = _everywhere_of(_erfcx, INF, 0.0, -3, 0.1, 7, 26, 1e8)
special_ndtr = _everywhere_of(_ndtr, 0.0, 1.0, -20, -1, 3)
special_log_ndtr = _everywhere_of(_log_ndtr, -INF, 0.0, -100, -7, -0.9, 3, 9)
special_i0e = _everywhere_of(_scaled(0), 0.0, 0.0, -9, 1e-9, 20)
special_i1e = _everywhere_of(_scaled(1), -0.0, 0.0, -9, 1e-9, 20)
special_i1 = _everywhere_of(_bessel(1), -INF, INF, -9, 1e-9, 20)


def _entr(x):
    return x if math.isnan(x) else -x * math.log(x) if x > 0 else 0.0 if x == 0 else -INF


def special_entr():
    yield from in_floats(element_by_element(_entr), _positive)
    yield Sample((np.asarray([0, -1, NAN], np.float32),), np.asarray([0, -INF, NAN], np.float32))


def special_ndtri():
    """The inverse of what is computed above."""
    places = np.asarray([[-2.0, -1, -0.2], [0.1, 1, 2]])
    shares = element_by_element(_ndtr)(places)
    yield Sample((shares,), places)
    far = np.asarray([-12.0, -5, 3], np.float32)
    yield Sample((element_by_element(_ndtr)(far),), far, tolerance=1e-5)
    yield Sample((np.asarray([0, 1, 0.5, 2, -1, NAN], np.float32),),
                 np.asarray([-INF, INF, 0, NAN, NAN, NAN], np.float32))  # fmt: skip


def _upper_share(a, x):
    """Of whole and half numbers, by adding up (DLMF 8.4.8 and 8.4.14)."""
    if a == int(a):
        return math.exp(-x) * math.fsum(x**k / math.factorial(k) for k in range(int(a)))
    terms = (x ** (k + 0.5) / math.gamma(k + 1.5) for k in range(int(a)))
    return math.erfc(math.sqrt(x)) + math.exp(-x) * math.fsum(terms)


def _shares(upper):
    def generate():
        # float32, as there is no gradient for the first.
        a = np.asarray([[0.5, 1, 2, 3.5], [7, 10, 20, 30.5]], np.float32)
        for x in (0.3, 2.0, 12.0, 29.0):
            found = np.vectorize(lambda a, x=x: _upper_share(float(a), x))(a)
            expected = (found if upper else 1 - found).astype(np.float32)
            yield Sample((a, np.asarray(x, np.float32)), expected, tolerance=3e-6)
        low, high = np.asarray([0, -1, 0, 2, INF, 3, 2]), np.asarray([1, 1, 0, -1, 2, INF, 0])
        edges = np.asarray([0, NAN, NAN, NAN, 1, 0, 1] if upper else [1, NAN, NAN, NAN, 0, 1, 0])
        yield Sample((low.astype(np.float32), high.astype(np.float32)), edges.astype(np.float32))

    return generate


igamma = _shares(False)
igammac = _shares(True)


def mvlgamma():
    for dtype in FLOATS:
        for p in (1, 2, 4):
            a = (np.abs(make((2, 3), dtype)) + p).astype(dtype)
            expected = p * (p - 1) / 4 * math.log(math.pi) + sum(
                np.vectorize(math.lgamma)(a.astype(np.float64) - j / 2) for j in range(p)
            )
            yield Sample((a, p), expected.astype(dtype))
    yield Sample((np.asarray([3, 2]), 1), np.asarray([math.log(2), 0], np.float32))


BAD |= {
    (f"special_{name}", "complex_input"): (
        lambda name=name: getattr(eagre.special, name)(tensor(2, dtype=np.complex64), 2),
        eagre.UnimplementedError,
        [f"special_{name}()", "complex64"],
    )
    for name in ("xlog1py",)
} | {
    (f"special_{name}_number", "complex_number"): (
        lambda name=name: getattr(eagre.special, name)(2j, tensor(3)),
        eagre.UnimplementedError,
        [f"special_{name}()", "complex64"],
    )
    for name in ("xlog1py",)
}

_ALONE = ("entr", "erfcx", "i0e", "i1", "i1e", "log_ndtr", "ndtr", "ndtri")
BAD |= (
    {
        (f"special_{name}", "complex_input"): (
            lambda name=name: getattr(eagre.special, name)(tensor(2, dtype=np.complex64)),
            eagre.UnimplementedError,
            [f"special_{name}()", "complex64"],
        )
        for name in _ALONE
    }
    | {
        (name, "integers"): (
            lambda name=name: getattr(eagre, name)(integers(2), integers(2)),
            eagre.UnimplementedError,
            [f"{name}()", "int64"],
        )
        for name in ("igamma", "igammac")
    }
    | {
        ("mvlgamma", "complex_input"): refused("mvlgamma", np.complex64, 1),
        ("mvlgamma", "no_dimension"): (
            lambda: eagre.mvlgamma(tensor(2), 0),
            eagre.InvalidArgumentError,
            ["mvlgamma()", "'p'", "got 0"],
        ),
    }
)
