"""Samples of the functions of analysis: `test.samples` of ops/special.yaml."""

import math

import numpy as np
from samples import COMPLEX, FLOATS, PAIRS, SHAPES, Sample, away_from_zero, in_floats, make, strided
from samples_unary import element_by_element, everywhere, scaled, with_values

import eagre

NAN, INF = np.nan, np.inf
HALVES_TOO = (np.float64, np.float32, np.float16)


def tensor(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def _own(function):
    """Samples are looked for where their function is at home."""
    function.__module__ = __name__
    return function


def _above_one(a):
    return np.asarray(np.abs(away_from_zero(a)) + a.dtype.type(1)) if a.dtype.kind == "f" else a


asinh = _own(with_values("arcsinh", everywhere, [1e-20, 1e30, -3]))
acosh = _own(with_values("arccosh", _above_one, [1, 1e30, 0.5, -1]))
atanh = _own(with_values("arctanh", scaled(0.4), [0.5, 1, -1, 2, 1e-20]))


def exp2():
    yield from in_floats(np.exp2, everywhere)
    a = np.asarray([NAN, -160, 127.5, 128, -149, 1e-20], np.float32)
    with np.errstate(over="ignore"):
        yield Sample((a,), np.exp2(a))
    for dtype in COMPLEX:
        yield Sample((make((2, 3), dtype),), 2 ** make((2, 3), dtype))


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


def pairs_of(function, dtypes=HALVES_TOO, domain=lambda a: a, numbers=()):
    """Two tensors of every dtype and shape; then mixed ones, and numbers on the right."""

    def sample(a, b):
        with np.errstate(all="ignore"):
            return Sample((a, b), np.asarray(function(a, b)))

    for dtype in dtypes:
        for shape in SHAPES:
            yield sample(make(shape, dtype, 1), domain(make(shape, dtype, 2)))
    for left, right in PAIRS:
        yield sample(make(left, seed=1), domain(make(right, seed=2)))
    yield sample(strided((3, 2), seed=1), domain(strided((3, 2), seed=2)))
    a32, whole = make((3,), np.float32), make((3,), np.int64)
    yield Sample((whole, domain(a32)), function(whole.astype(np.float32), domain(a32)))
    yield Sample((a32, domain(make((3,)))), function(a32, domain(make((3,)))))
    for number in numbers:
        yield Sample((a32, number), function(a32, np.float32(number)))


def logaddexp():
    yield from pairs_of(np.logaddexp)
    a, b = np.asarray([INF, -INF, INF, NAN, 800]), np.asarray([-INF, -INF, INF, 1, -800])
    yield Sample((a, b), np.asarray([INF, -INF, INF, NAN, 800]))
    for dtype in COMPLEX:
        a, b = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        yield Sample((a, b), np.log(np.exp(a) + np.exp(b)))
    # The angle is that of the operands, not brought back to where a logarithm has it.
    yield Sample((np.asarray([10j]), np.asarray([10j])), np.asarray([np.log(2) + 10j]))
    infinite = np.asarray([-INF + 0j, INF + 0j, -INF + 1j, NAN])
    finite = np.asarray([-INF + 0j, 3 + 1j, 2j, 1])
    yield Sample((infinite, finite), np.asarray([-INF, INF, 2j, NAN * (1 + 1j)]))


def logaddexp2():
    yield from pairs_of(np.logaddexp2)
    a, b = np.asarray([INF, -INF, INF, NAN]), np.asarray([-INF, -INF, INF, 1])
    yield Sample((a, b), np.asarray([INF, -INF, INF, NAN]))


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


def ldexp():
    yield from pairs_of(lambda a, b: np.asarray(a * 2.0**b, np.result_type(a, b)))
    a, b = np.asarray([3.0, -0.5, NAN, 1e-300]), np.asarray([-1, 3, 1, 1200])
    yield Sample((a, b), np.asarray([1.5, -4, NAN, 1e-300 * 2.0**600 * 2.0**600]))
    small = np.asarray([1e-3], np.float16)
    yield Sample((small, np.asarray([17])), np.asarray([131.1], np.float16), dtype=eagre.float16)
    yield Sample((np.asarray([3, 4]), np.asarray([1, -1])), np.asarray([6, 2], np.float32))
    for dtype in COMPLEX:
        a, b = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        yield Sample((a, b), a * 2**b)


def float_power():
    for dtype in (np.float64, np.float32, np.int64, np.uint8, np.bool_):
        for shape in SHAPES:
            a = np.asarray(np.abs(make(shape, seed=1)), dtype)
            b = make(shape, dtype, 2)
            with np.errstate(all="ignore"):
                yield Sample((a, b), np.asarray(np.float_power(a, b)))
    for left, right in PAIRS:
        a, b = np.asarray(np.abs(make(left, seed=1))), make(right, seed=2)
        yield Sample((a, b), np.asarray(np.float_power(a, b)))
    a = np.abs(make((2, 3), np.float32))
    for number in (2, 0.5, True):
        yield Sample((a, number), np.float_power(a, number))
    yield Sample((a, 1j), a.astype(np.float64) ** 1j)
    z = make((2, 3), np.complex64)
    yield Sample((z, 2), z.astype(np.complex128) ** 2)
    yield Sample((z, a), z.astype(np.complex128) ** a)


def float_power_number():
    b = make((2, 3), np.float32)
    yield Sample((2, b), 2.0 ** b.astype(np.float64))
    yield Sample((2j, b), 2j ** b.astype(np.float64))
    yield Sample((2, np.asarray([1, -2])), np.asarray([2, 0.25]))


def hypot():
    yield from pairs_of(np.hypot)
    a, b = np.asarray([3e300, 0, INF, NAN]), np.asarray([4e300, 0, NAN, 1])
    yield Sample((a, b), np.hypot(a, b))


def _angles(factor):
    def function():
        def compute(a):
            return np.asarray(a * a.dtype.type(factor))

        yield from in_floats(compute, everywhere)

    return _own(function)


deg2rad = _angles(np.pi / 180)
rad2deg = _angles(180 / np.pi)


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


def _zeta(x, order):
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
    return (-1) ** (n + 1) * math.factorial(n) * _zeta(x, n + 1)


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


def _of_integers(function):
    def generate():
        for dtype in (np.uint8, np.int8, np.int16, np.int32, np.int64):
            for shape in SHAPES:
                a, b = make(shape, dtype, 1), make(shape, dtype, 2)
                yield Sample((a, b), np.asarray(function(a, b)))
        for left, right in PAIRS:
            a, b = make(left, np.int64, 1), make(right, np.int64, 2)
            yield Sample((a, b), np.asarray(function(a, b)))
        a, b = np.asarray([0, 12, -9, 2**40, 0]), np.asarray([0, 18, 6, 2**20, 5])
        yield Sample((a, b), function(a, b))
        mixed = make((3,), np.int64), make((3,), np.uint8)
        yield Sample(mixed, function(*mixed))

    return _own(generate)


gcd = _of_integers(np.gcd)
lcm = _of_integers(np.lcm)


def _refused(op, dtype, *more):
    def call():
        getattr(eagre, op)(tensor(3, dtype=dtype), *more)

    return call, eagre.UnimplementedError, [f"{op}()", np.dtype(dtype).name]


def _does_not_broadcast(op):
    return (
        lambda: getattr(eagre, op)(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        [f"{op}()", "[4]", "[3]"],
    )


def _other_out(op, *args):
    return (
        lambda: getattr(eagre, op)(*args, out=tensor(3)),
        eagre.InvalidArgumentError,
        [f"{op}()", "float64", "float32"],
    )


BAD = {
    **{(op, "complex_input"): _refused(op, np.complex64) for op in ("erfc", "deg2rad", "rad2deg")},
    **{
        (op, "complex_input"): _refused(op, np.complex64)
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
    **{
        (op, "floats"): _refused(op, np.float32, tensor(3, dtype=np.int64)) for op in ("gcd", "lcm")
    },
    **{
        (op, "integers"): _refused(op, np.int64, tensor(3, dtype=np.int64))
        for op in ("logaddexp", "logaddexp2", "hypot")
    },
    **{(op, "complex_input"): _refused(op, np.complex64, tensor(3)) for op in ("xlogy", "hypot")},
    **{
        (op, "shapes_do_not_broadcast"): _does_not_broadcast(op)
        for op in (
            *("logaddexp", "logaddexp2", "xlogy", "ldexp", "float_power", "hypot", "gcd", "lcm"),
        )
    },
    ("xlogy_number", "complex_number"): (
        lambda: eagre.xlogy(2j, tensor(3)),
        eagre.UnimplementedError,
        ["xlogy()", "complex64"],
    ),
    ("float_power", "out_of_another_dtype"): _other_out("float_power", tensor(3), 2),
    ("float_power_number", "out_of_another_dtype"): _other_out("float_power", 2, tensor(3)),
    ("float_power", "float32_in_place"): (
        lambda: tensor(3).float_power_(2),
        eagre.InvalidArgumentError,
        ["float_power_()", "float64", "float32"],
    ),
    **{
        (op, "integer_out"): (
            lambda op=op: getattr(eagre, op)(tensor(2), out=tensor(2, dtype=np.int64)),
            eagre.InvalidArgumentError,
            [f"{op}()", "float32", "int64", "'out'"],
        )
        for op in ("exp2", "asinh", "acosh", "atanh", "sinc")
    },
}
