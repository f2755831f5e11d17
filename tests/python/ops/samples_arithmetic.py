"""Samples of ops/arithmetic.yaml."""

import numpy as np
from mistakes import does_not_broadcast, refused, tensor
from samples import (
    COMPLEX,
    DTYPES,
    NUMBERS,
    PAIRS,
    SHAPES,
    TRIPLES,
    Sample,
    away_from_zero,
    binary,
    each,
    in_floats,
    make,
    strided,
)

import eagre


def add():
    def compute(a, b):
        return np.asarray(np.add(a, b))

    yield from binary(compute)
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    yield Sample((a, b), a + 2.5 * b, {"alpha": 2.5})
    yield Sample((a, 4.0), a - 2 * 4.0, {"alpha": -2})
    i, j = make((3,), np.int64, 1), make((3,), np.int64, 2)
    yield Sample((i, j), i + 3 * j, {"alpha": 3})


def without_bools(given):
    """Bools are not subtracted."""

    def is_bool(value):
        return isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_

    return (s for s in given if not any(map(is_bool, s.args)))


def sub():
    yield from without_bools(
        binary(lambda a, b: np.asarray(np.subtract(a, b, dtype=wide(a, b))), NUMBERS)
    )
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    yield Sample((a, b), a - 2.5 * b, {"alpha": 2.5})
    yield Sample((a, 3), a - 6, {"alpha": 2})


def rsub():
    yield from without_bools(
        binary(lambda a, b: np.asarray(np.subtract(b, a, dtype=wide(a, b))), NUMBERS)
    )
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    yield Sample((a, b), b - 2.5 * a, {"alpha": 2.5})


def wide(a, b):
    """NumPy does not subtract bool; where one is involved, the other's dtype counts."""
    kinds = [np.asarray(x).dtype for x in (a, b)]
    return next((k for k in kinds if k != np.bool_), None) if np.bool_ in kinds else None


def div():
    def sample(a, b):
        b = away_from_zero(b) if b.any() else b
        whole = np.issubdtype(np.result_type(a, b), np.integer)
        with np.errstate(all="ignore"):
            quotient = np.asarray(np.divide(a, b))
        return Sample((a, b), quotient.astype(np.float32) if whole else quotient)

    for dtype in (np.float64, np.float32, np.float16, np.int64, np.int32, np.uint8):
        for shape in SHAPES:
            yield sample(make(shape, dtype, 1), make(shape, dtype, 2))
    for left, right in PAIRS:
        yield sample(make(left, seed=1), make(right, seed=2))
    yield sample(strided((3, 2), seed=1), make((3, 2), seed=2))
    yield sample(np.asarray([1.0, -1.0, 0.0]), np.zeros(3))
    yield Sample((make((2, 2)), 4), make((2, 2)) / 4)


def reciprocal():
    yield from in_floats(lambda a: 1 / a)


def mul():
    yield from binary(lambda a, b: np.asarray(np.multiply(a, b)))


DIVIDED = [np.float64, np.float32, np.uint8, np.int8, np.int16, np.int32, np.int64]


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


def _zero_tensor(op):
    return lambda: getattr(eagre, op)(eagre.tensor([1, 2]), eagre.tensor([1, 0]))


def positive():
    yield from each(lambda a: a, [d for d in (*DTYPES, *COMPLEX) if d is not np.bool_])


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

    return generate


gcd = _of_integers(np.gcd)
lcm = _of_integers(np.lcm)


def ternary(compute, dtypes, domain=lambda c: c):
    for dtype in dtypes:
        for shape in SHAPES:
            a, b, c = (make(shape, dtype, seed) for seed in range(3))
            yield Sample((a, b, domain(c)), np.asarray(compute(a, b, domain(c))))
    for shapes in TRIPLES:
        a, b, c = (make(shape, seed=seed) for seed, shape in enumerate(shapes))
        yield Sample((a, b, domain(c)), np.asarray(compute(a, b, domain(c))))
    a, b, c = (strided((3, 2), seed=seed) for seed in range(3))
    yield Sample((a, b, domain(c)), compute(a, b, domain(c)))


def lerp():
    def compute(a, b, w):
        return a + w * (b - a)

    yield from ternary(compute, (np.float64, np.float32, *COMPLEX))
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    for weight in (0, 0.25, 0.75, 1, -2.0, 3.0):
        yield Sample((a, b, weight), compute(a, b, weight))
    a, b = make((2, 3), np.complex128, seed=1), make((3,), np.complex128, seed=2)
    for weight in (0.25, 0.75, 0.3 + 0.1j, 2j):
        yield Sample((a, b, weight), compute(a, b, weight))
    # A 0-dim weight counts when the dtype is chosen.
    a, b = np.array([1, 2]), np.array([3, 5])
    for dtype in (np.float32, np.float64):
        yield Sample((a, b, np.array(0.5, dtype)), np.array([2, 3.5], dtype))


def addcmul():
    def compute(a, b, c):
        return a + b * c

    yield from ternary(compute, (np.float64, np.float32, np.int64, np.int32, np.int8))
    a, b, c = (make((2, 3), seed=seed) for seed in range(3))
    yield Sample((a, b, c), a - 2.5 * b * c, {"value": -2.5})
    i = make((3,), np.int64)
    yield Sample((i, i, i), i + 3 * i * i, {"value": 3})


def addcdiv():
    def compute(a, b, c):
        return a + b / c

    yield from ternary(compute, (np.float64, np.float32), away_from_zero)
    a, b, c = (away_from_zero(make((2, 3), seed=seed)) for seed in range(3))
    yield Sample((a, b, c), a - 2.5 * b / c, {"value": -2.5})


BAD = {
    ("sub", "shapes_do_not_broadcast"): (
        lambda: tensor(4) - tensor(3),
        eagre.InvalidArgumentError,
        ["sub()", "[4]", "[3]"],
    ),
    ("sub", "bools"): (
        lambda: tensor(4, dtype=np.bool_) - tensor(4, dtype=np.bool_),
        eagre.UnimplementedError,
        ["sub()", "two bool tensors", "logical_xor"],
    ),
    ("sub", "bool_number"): (
        lambda: tensor(4) - True,
        eagre.UnimplementedError,
        ["sub()", "a bool tensor"],
    ),
    ("rsub", "shapes_do_not_broadcast"): (
        lambda: eagre.rsub(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        ["rsub()", "[4]", "[3]"],
    ),
    ("rsub", "bools"): (
        lambda: 1 - tensor(4, dtype=np.bool_),
        eagre.UnimplementedError,
        ["rsub()", "a bool tensor", "logical_not"],
    ),
    ("neg", "bools"): (
        lambda: -tensor(4, dtype=np.bool_),
        eagre.UnimplementedError,
        ["neg()", "on a bool tensor is not supported", "`~`", "`logical_not()`"],
    ),
    ("div", "shapes_do_not_broadcast"): (
        lambda: tensor(4) / tensor(3),
        eagre.InvalidArgumentError,
        ["div()", "[4]", "[3]"],
    ),
    ("add", "shapes_do_not_broadcast"): (
        lambda: eagre.add(tensor(2, 3), tensor(2)),
        eagre.InvalidArgumentError,
        ["add()", "[2, 3]", "[2]"],
    ),
    ("add", "float_alpha_for_integers"): (
        lambda: eagre.add(tensor(2, dtype=np.int64), 1, alpha=0.5),
        eagre.InvalidArgumentError,
        ["add()", "'alpha'", "0.5"],
    ),
    ("mul", "shapes_do_not_broadcast"): (
        lambda: tensor(4) * tensor(3),
        eagre.InvalidArgumentError,
        ["mul()", "[4]", "[3]"],
    ),
    ("true_divide", "shapes_do_not_broadcast"): (
        lambda: eagre.true_divide(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        ["[4]", "[3]"],
    ),
    **{
        (op, "shapes_do_not_broadcast"): (
            lambda op=op: getattr(eagre, op)(tensor(4), tensor(3)),
            eagre.InvalidArgumentError,
            [f"{op}()", "[4]", "[3]"],
        )
        for op in ("floor_divide", "remainder", "fmod")
    },
    ("positive", "bools"): refused("positive", np.bool_),
    **{(op, "floats"): refused(op, np.float32, tensor(3, dtype=np.int64)) for op in ("gcd", "lcm")},
    **{(op, "shapes_do_not_broadcast"): does_not_broadcast(op) for op in ("gcd", "lcm")},
    **{
        (op, "shapes_do_not_broadcast"): (
            lambda op=op: getattr(eagre, op)(tensor(4), tensor(4), tensor(3)),
            eagre.InvalidArgumentError,
            [f"{op}()", "[4]", "[3]"],
        )
        for op in ("lerp", "addcmul", "addcdiv")
    },
    ("lerp", "end_of_another_dtype"): (
        lambda: eagre.lerp(tensor(3), tensor(3, dtype=np.float64), 0.5),
        eagre.InvalidArgumentError,
        ["lerp()", "'end'", "float32", "float64"],
    ),
    ("lerp", "weight_of_another_dtype"): (
        lambda: eagre.lerp(tensor(3), tensor(3), tensor(3, dtype=np.float64)),
        eagre.InvalidArgumentError,
        ["lerp()", "'weight'", "float32", "float64"],
    ),
    ("lerp", "complex_weight"): (
        lambda: eagre.lerp(tensor(3), tensor(3), 1j),
        eagre.InvalidArgumentError,
        ["lerp()", "'weight'", "float32", "complex"],
    ),
    ("lerp", "integers"): (
        lambda: eagre.lerp(*[tensor(3, dtype=np.int64)] * 3),
        eagre.UnimplementedError,
        ["lerp", "int64"],
    ),
    ("addcmul", "float_value_for_integers"): (
        lambda: eagre.addcmul(*[tensor(3, dtype=np.int64)] * 3, value=1.5),
        eagre.InvalidArgumentError,
        ["addcmul()", "'value'", "1.5", "int64"],
    ),
    ("addcdiv", "integers"): (
        lambda: eagre.addcdiv(*[tensor(3, dtype=np.int64)] * 3),
        eagre.UnimplementedError,
        ["addcdiv", "int64"],
    ),
    ("div_mode", "zero"): (
        lambda: eagre.div(eagre.tensor([1]), eagre.tensor([0]), rounding_mode="trunc"),
        eagre.InvalidArgumentError,
        ["'other'", "0"],
    ),
    ("div_mode", "rounding_mode"): (
        lambda: eagre.div(tensor(2), 2, rounding_mode="up"),
        eagre.InvalidArgumentError,
        ["div()", "'rounding_mode'", "'trunc'", "'floor'", "'up'"],
    ),
    ("abs", "bools"): refused("abs", np.bool_),
}

for _op in ("floor_divide", "remainder", "fmod"):
    BAD[_op, "zero"] = (_zero_tensor(_op), eagre.InvalidArgumentError, [f"{_op}()", "'other'", "0"])
    BAD[_op, "zero_number"] = (
        lambda op=_op: getattr(eagre.tensor([1, 2]), f"{op}_")(0),
        eagre.InvalidArgumentError,
        [_op, "'other'", "0"],
    )
