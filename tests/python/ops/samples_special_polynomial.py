"""Samples of ops/special_polynomial.yaml."""

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre
from samples import FLOATS, NAN, Sample, make

import eagre

_VALUES = {
    "hermite_polynomial_h": lambda n, x: hermite.hermval(x, [*[0] * n, 1]),
    "hermite_polynomial_he": lambda n, x: hermite_e.hermeval(x, [*[0] * n, 1]),
    "laguerre_polynomial_l": lambda n, x: laguerre.lagval(x, [*[0] * n, 1]),
    "legendre_polynomial_p": lambda n, x: legendre.legval(x, [*[0] * n, 1]),
}


def second_kind(n, x):
    """From the slope of the first kind of the next degree."""
    if n < 0:
        return 0 * x
    return chebyshev.chebval(x, chebyshev.chebder([*[0] * (n + 1), 1])) / (n + 1)


_CHEBYSHEV = {
    "t": lambda n, x: chebyshev.chebval(x, [*[0] * n, 1]),
    "u": second_kind,
    "v": lambda n, x: second_kind(n, x) - second_kind(n - 1, x),
    "w": lambda n, x: second_kind(n, x) + second_kind(n - 1, x),
}
for _letter, _value in _CHEBYSHEV.items():
    _VALUES[f"chebyshev_polynomial_{_letter}"] = _value
    _VALUES[f"shifted_chebyshev_polynomial_{_letter}"] = lambda n, x, value=_value: value(
        n, 2 * x - 1
    )


def _of(value, x, n):
    x, n = np.broadcast_arrays(x, n)
    found = [
        value(int(k), float(y)) if k > -1 else 0.0 for y, k in zip(x.flat, n.flat, strict=True)
    ]
    return np.asarray(found).reshape(x.shape)


def _pair(value):
    def generate():
        for dtype in FLOATS:
            for shape, degrees in (((2, 3), (3,)), ((), ()), ((0, 2), (2,)), ((5,), (4, 1))):
                x = make(shape, dtype)
                n = np.arange(np.prod(degrees), dtype=dtype).reshape(degrees)
                yield Sample((x, n), _of(value, x, n).astype(dtype), tolerance=1e-4)
        x = np.asarray([-1.3, -1, -0.7, 0, 0.2, 0.5, 1, 1.2])
        for degree in (0, 1, 2, 7, 40, 41):
            expected = _of(value, x, degree)
            yield Sample((x, degree), expected, tolerance=1e-9)
        yield Sample((x, 2.75), _of(value, x, 2), tolerance=1e-12)
        yield Sample((x, -3), 0 * x)
        yield Sample((np.asarray([NAN, 1.0]), np.asarray([2, NAN])), np.asarray([NAN, NAN]))
        whole = np.asarray([0, 1, 2])
        yield Sample((whole, 2), _of(value, whole, 2).astype(np.float32))

    return generate


def _numbers(value):
    def generate():
        # float32, as there is no gradient.
        degrees = np.asarray([0, 1, 4, 6], np.float32)
        yield Sample((0.25, degrees), _of(value, 0.25, degrees).astype(np.float32))
        whole = np.asarray([0, 3])
        yield Sample((2, whole), _of(value, 2.0, whole).astype(np.float32))

    return generate


special_chebyshev_polynomial_t = _pair(_VALUES["chebyshev_polynomial_t"])
special_chebyshev_polynomial_t_number = _numbers(_VALUES["chebyshev_polynomial_t"])
special_chebyshev_polynomial_u = _pair(_VALUES["chebyshev_polynomial_u"])
special_chebyshev_polynomial_u_number = _numbers(_VALUES["chebyshev_polynomial_u"])
special_chebyshev_polynomial_v = _pair(_VALUES["chebyshev_polynomial_v"])
special_chebyshev_polynomial_v_number = _numbers(_VALUES["chebyshev_polynomial_v"])
special_chebyshev_polynomial_w = _pair(_VALUES["chebyshev_polynomial_w"])
special_chebyshev_polynomial_w_number = _numbers(_VALUES["chebyshev_polynomial_w"])
special_shifted_chebyshev_polynomial_t = _pair(_VALUES["shifted_chebyshev_polynomial_t"])
special_shifted_chebyshev_polynomial_t_number = _numbers(_VALUES["shifted_chebyshev_polynomial_t"])
special_shifted_chebyshev_polynomial_u = _pair(_VALUES["shifted_chebyshev_polynomial_u"])
special_shifted_chebyshev_polynomial_u_number = _numbers(_VALUES["shifted_chebyshev_polynomial_u"])
special_shifted_chebyshev_polynomial_v = _pair(_VALUES["shifted_chebyshev_polynomial_v"])
special_shifted_chebyshev_polynomial_v_number = _numbers(_VALUES["shifted_chebyshev_polynomial_v"])
special_shifted_chebyshev_polynomial_w = _pair(_VALUES["shifted_chebyshev_polynomial_w"])
special_shifted_chebyshev_polynomial_w_number = _numbers(_VALUES["shifted_chebyshev_polynomial_w"])
special_hermite_polynomial_h = _pair(_VALUES["hermite_polynomial_h"])
special_hermite_polynomial_h_number = _numbers(_VALUES["hermite_polynomial_h"])
special_hermite_polynomial_he = _pair(_VALUES["hermite_polynomial_he"])
special_hermite_polynomial_he_number = _numbers(_VALUES["hermite_polynomial_he"])
special_laguerre_polynomial_l = _pair(_VALUES["laguerre_polynomial_l"])
special_laguerre_polynomial_l_number = _numbers(_VALUES["laguerre_polynomial_l"])
special_legendre_polynomial_p = _pair(_VALUES["legendre_polynomial_p"])
special_legendre_polynomial_p_number = _numbers(_VALUES["legendre_polynomial_p"])

BAD = {}
for _name in _VALUES:
    _function = getattr(eagre.special, _name)
    BAD[f"special_{_name}", "complex_input"] = (
        lambda f=_function: f(eagre.tensor([1j]), 2),
        eagre.UnimplementedError,
        [f"special_{_name}()", "complex64"],
    )
    BAD[f"special_{_name}_number", "complex_number"] = (
        lambda f=_function: f(1j, eagre.tensor([1.0])),
        eagre.UnimplementedError,
        [f"special_{_name}()", "complex64"],
    )
