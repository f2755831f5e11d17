"""Samples of division with a remainder, powers and extremes: `test.samples` of ops/binary.yaml."""

import numpy as np
from samples import DTYPES, PAIRS, SHAPES, Sample, away_from_zero, make, mixed, strided

import eagre

DIVIDED = [np.float64, np.float32, np.uint8, np.int8, np.int16, np.int32, np.int64]


def tensor(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def not_zero(a):
    return away_from_zero(a) if a.dtype.kind == "f" else np.asarray(np.where(a == 0, 3, a), a.dtype)


def division(function, **kwargs):
    """Divisors without 0, apart from the floats at the end."""

    def generate():
        def sample(a, b):
            with np.errstate(all="ignore"):
                return Sample((a, b), np.asarray(function(a, b)), kwargs)

        for dtype in DIVIDED:
            for shape in SHAPES:
                yield sample(make(shape, dtype, 1), not_zero(make(shape, dtype, 2)))
        for left, right in PAIRS:
            yield sample(make(left, seed=1), not_zero(make(right, seed=2)))
        yield sample(strided((3, 2), seed=1), not_zero(strided((3, 2), seed=2)))
        whole = np.asarray([7, -7, 6, -6, 0])
        for divisor in (2, -2, 3, -1):
            yield Sample((whole, divisor), function(whole, divisor), kwargs)
        ties = np.asarray([7.5, -7.5, 6, -6, 0], np.float32)  # no derivative at some of them
        yield sample(ties, np.asarray([2, 2, -4, 4, -3], np.float32))
        lowest = np.asarray([np.iinfo(np.int64).min, np.iinfo(np.int64).max])
        yield sample(lowest, np.asarray([-1, -1]))
        yield sample(lowest.astype(np.int32), np.asarray([-1, -1], np.int32))
        inf, nan = np.inf, np.nan
        yield sample(np.asarray([1.0, -1, 0, nan, inf, 1]), np.asarray([0.0, 0, 0, 1, 2, nan]))
        large = make((2, 300), np.float32, 3)
        yield sample(large, not_zero(make((2, 300), np.float32, 4)))

    generate.__module__ = __name__
    return generate


def _trunc_divide(a, b):
    if np.result_type(a, b).kind == "f":
        return np.trunc(np.divide(a, b))
    return (a - np.fmod(a, b)) // b


floor_divide = division(np.floor_divide)
remainder = division(np.remainder)
fmod = division(np.fmod)


def div_mode():
    yield from division(_trunc_divide, rounding_mode="trunc")()
    yield from division(np.floor_divide, rounding_mode="floor")()
    a, b = make((2, 3), seed=1), away_from_zero(make((3,), seed=2))
    yield Sample((a, b), a / b, {"rounding_mode": None})


def pow():  # noqa: A001  the operator's name
    def sample(a, b):
        with np.errstate(all="ignore"):
            return Sample((np.asarray(a), b), np.asarray(np.power(a, b)))

    for dtype in (np.float64, np.float32):
        for shape in SHAPES:
            yield sample(np.abs(make(shape, dtype, 1)) + dtype(0.3), make(shape, dtype, 2))
    for dtype in (np.uint8, np.int8, np.int16, np.int32, np.int64):
        for shape in SHAPES:
            yield sample(make(shape, dtype, 1), np.asarray(abs(make(shape, dtype, 2)) % 4, dtype))
    for left, right in PAIRS:
        yield sample(np.abs(make(left, seed=1)) + 0.3, make(right, seed=2))
    yield sample(np.abs(strided((3, 2), seed=1)) + 0.3, strided((3, 2), seed=2))
    for number in (0, 1, 2, 3, -1, -2.0, 0.5):
        a = np.abs(make((2, 3))) + 0.3
        yield Sample((a, number), a**number)
    whole = np.asarray([1, -2, 3])
    yield Sample((whole, 3), whole**3)
    yield Sample((whole, 0.5), np.asarray([1, np.nan, 3**0.5], np.float32))
    yield Sample((whole, np.asarray([-1, -1, -2])), np.asarray([1, 0, 0]))
    special = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1])
    for number in (0.0, -1.0, 3.0, 2.5, np.inf):
        with np.errstate(all="ignore"):
            yield Sample((special, number), special**number)
    truth = np.asarray([True, False])
    yield Sample((truth, True), truth)
    yield Sample((truth, False), np.asarray([True, True]))
    yield Sample((truth, 2), np.asarray([1, 0]))
    z = np.asarray([1 + 2j, -0.5j, 0])
    yield Sample((z, 2), z**2, dtype=eagre.complex128)
    yield Sample((z[:2], 1.5 + 1j), z[:2] ** (1.5 + 1j), dtype=eagre.complex128)


def pow_number():
    for base, exponent in ((2, make((3,), np.int64) % 5), (2.5, make((2, 3)))):
        yield Sample((base, exponent), np.asarray(base**exponent))
    whole = np.asarray([1, 2, 3])
    yield Sample((0.5, whole), (0.5**whole).astype(np.float32), dtype=eagre.float32)


def extreme(function):
    def generate():
        for dtype in DTYPES:
            for shape in SHAPES:
                a, b = make(shape, dtype, 1), make(shape, dtype, 2)
                yield Sample((a, b), np.asarray(function(a, b)))
        for left, right in PAIRS:
            a, b = make(left, seed=1), make(right, seed=2)
            yield Sample((a, b), np.asarray(function(a, b)))
        a, b = strided((3, 2), seed=1), strided((3, 2), seed=2)
        yield Sample((a, b), function(a, b))
        yield from mixed(function)
        special = np.asarray([np.nan, np.inf, -np.inf, 0.0, 1.0])
        yield Sample((special, special[::-1].copy()), function(special, special[::-1]))
        large = np.asarray([2**63, 2**64 - 1, 1], np.uint64)
        yield Sample((large, large[::-1].copy()), function(large, large[::-1]))

    generate.__module__ = __name__
    return generate


maximum = extreme(np.maximum)
minimum = extreme(np.minimum)


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


def _zero_tensor(op):
    return lambda: getattr(eagre, op)(eagre.tensor([1, 2]), eagre.tensor([1, 0]))


BAD = {
    (op, "shapes_do_not_broadcast"): (
        lambda op=op: getattr(eagre, op)(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        [f"{op}()", "[4]", "[3]"],
    )
    for op in ("floor_divide", "remainder", "fmod", "pow", "maximum", "minimum", "atan2")
}
for _op in ("floor_divide", "remainder", "fmod"):
    BAD[_op, "zero"] = (_zero_tensor(_op), eagre.InvalidArgumentError, [f"{_op}()", "'other'", "0"])
    BAD[_op, "zero_number"] = (
        lambda op=_op: getattr(eagre.tensor([1, 2]), f"{op}_")(0),
        eagre.InvalidArgumentError,
        [_op, "'other'", "0"],
    )
BAD["div_mode", "zero"] = (
    lambda: eagre.div(eagre.tensor([1]), eagre.tensor([0]), rounding_mode="trunc"),
    eagre.InvalidArgumentError,
    ["'other'", "0"],
)
BAD["div_mode", "rounding_mode"] = (
    lambda: eagre.div(tensor(2), 2, rounding_mode="up"),
    eagre.InvalidArgumentError,
    ["div()", "'rounding_mode'", "'trunc'", "'floor'", "'up'"],
)
BAD["pow", "negative_exponent"] = (
    lambda: eagre.tensor([1, 2]) ** -1,
    eagre.InvalidArgumentError,
    ["pow()", "'exponent'", "-1"],
)
BAD["pow", "bools"] = (
    lambda: eagre.tensor([True]) ** eagre.tensor([True]),
    eagre.UnimplementedError,
    ["pow", "bool"],
)
