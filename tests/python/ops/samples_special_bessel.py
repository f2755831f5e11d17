"""Samples of ops/special_bessel.yaml: integrals, by Gauss' rule."""

import math
from fractions import Fraction

import numpy as np
from samples import INF, NAN, Sample, element_by_element, everywhere, in_floats, make

import eagre

_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(300)


def integral(f, start, end):
    width = (end - start) / 2
    return math.fsum(_WEIGHTS * f(start + width * (_PLACES + 1))) * width


def first(n, x):
    return integral(lambda t: np.cos(n * t - x * np.sin(t)), 0, math.pi) / math.pi


def second(n, x):
    if not x > 0:
        return -INF if x == 0 else NAN
    end = math.asinh(60 / x)
    wave = integral(lambda t: np.sin(x * np.sin(t) - n * t), 0, math.pi)
    fall = integral(
        lambda t: (np.exp(n * t) + (-1) ** n * np.exp(-n * t)) * np.exp(-x * np.sinh(t)), 0, end
    )
    return (wave - fall) / math.pi


def modified_scaled(n, x):
    if not x > 0:
        return INF if x == 0 else NAN
    end = math.acosh(1 + 60 / x)
    return integral(lambda t: np.exp(x * (1 - np.cosh(t))) * np.cosh(n * t), 0, end)


def modified(n, x):
    return modified_scaled(n, x) * math.exp(-x)


def airy(x):
    """By its power series, of whole fractions since it loses digits."""
    if x > 3:
        z = 2 / 3 * x**1.5
        return math.sqrt(x / 3) * modified(1 / 3, z) / math.pi
    exact, f, g = Fraction(x), Fraction(1), Fraction(x)
    even, odd = f, g
    for k in range(1, 150):
        f *= exact**3 / ((3 * k - 1) * 3 * k)
        g *= exact**3 / (3 * k * (3 * k + 1))
        even, odd = even + f, odd + g
    value = Fraction("0.355028053887817239260063186004183177")
    slope = Fraction("0.258819403792806798405183560189203963")
    return float(value * even - slope * odd)


def _positive(a):
    return np.asarray(np.abs(a) + (0.5 if a.dtype.kind == "f" else 1)).astype(a.dtype)


def _samples(finite, domain, edges, *more, tolerance=None):
    """At random places, at those where the method changes, and at the edges."""

    def function(x):
        return edges[x] if x in edges else finite(x) if x == x else NAN

    def generate():
        yield from in_floats(element_by_element(function), domain)
        a = np.asarray(more)
        yield Sample((a,), element_by_element(function)(a), tolerance=tolerance)
        places, values = zip(*edges.items(), strict=True)
        # float32: where it is infinite, differences tell nothing about gradients.
        yield Sample((np.asarray(places, np.float32),), np.asarray(values, np.float32))

    return generate


_J = {INF: 0, -INF: 0, NAN: NAN}
_Y = {0: -INF, -1: NAN, INF: 0, -INF: NAN, NAN: NAN}
_K = {0: INF, -1: NAN, INF: 0, -INF: NAN, NAN: NAN}
_MORE = (0.01, 1.99, 2.01, 7, 24.9, 25.1, 50)
special_bessel_j0 = _samples(lambda x: first(0, x), everywhere, _J, -3, *_MORE, tolerance=1e-12)
special_bessel_j1 = _samples(lambda x: first(1, x), everywhere, _J, -3, *_MORE, tolerance=1e-12)
special_bessel_y0 = _samples(lambda x: second(0, x), _positive, _Y, *_MORE[1:], tolerance=1e-10)
special_bessel_y1 = _samples(lambda x: second(1, x), _positive, _Y, *_MORE[1:], tolerance=1e-10)
special_modified_bessel_k0 = _samples(lambda x: modified(0, x), _positive, _K, *_MORE[1:])
special_modified_bessel_k1 = _samples(lambda x: modified(1, x), _positive, _K, *_MORE[1:])
special_scaled_modified_bessel_k0 = _samples(
    lambda x: modified_scaled(0, x), _positive, _K, *_MORE[1:]
)
special_scaled_modified_bessel_k1 = _samples(
    lambda x: modified_scaled(1, x), _positive, _K, *_MORE[1:]
)
special_airy_ai = _samples(
    airy, everywhere, {INF: 0, -INF: 0, NAN: NAN}, -7.1, -6.9, 0.99, 1.01, 5, tolerance=1e-10
)
special_spherical_bessel_j0 = _samples(
    lambda x: math.sin(x) / x, everywhere, {0: 1, INF: 0, -INF: 0, NAN: NAN}, 1e-9, 40
)

_NAMES = (
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "spherical_bessel_j0",
)
BAD = {
    (f"special_{name}", "complex_input"): (
        lambda name=name: getattr(eagre.special, name)(eagre.tensor(make((2,)) * 1j)),
        eagre.UnimplementedError,
        [f"special_{name}()", "complex"],
    )
    for name in _NAMES
}
