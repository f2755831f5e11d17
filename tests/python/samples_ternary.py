"""Samples of the operators of ops/ternary.yaml."""

import numpy as np
from samples import COMPLEX, DTYPES, SHAPES, Sample, away_from_zero, make, strided

import eagre

TRIPLES = [((2, 3), (3,), (2, 1)), ((), (2, 2), (2,)), ((2, 3), (), ()), ((0, 3), (1, 3), (3,))]


def tensor(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def where():
    def sample(condition, a, b):
        return Sample((condition, a, b), np.asarray(np.where(condition, a, b)))

    for dtype in DTYPES:
        for shape in SHAPES:
            yield sample(make(shape, np.bool_), make(shape, dtype, 1), make(shape, dtype, 2))
    for shapes in TRIPLES:
        yield sample(make(shapes[0], np.bool_), make(shapes[1], seed=1), make(shapes[2], seed=2))
    yield sample(strided((3, 2), np.bool_), strided((3, 2), seed=1), make((3, 2), seed=2))
    condition, a, small = make((3,), np.bool_), make((3,)), make((3,), np.float32)
    for number in (1, -2.5, True):
        yield Sample((condition, a, number), np.where(condition, a, number))
        yield Sample((condition, number, a), np.where(condition, number, a))
    yield Sample((condition, 1, 2), np.where(condition, 1, 2))
    chosen = np.where(condition, 1, 2.5).astype(np.float32)
    yield Sample((condition, 1, 2.5), chosen, dtype=eagre.float32)
    yield Sample((condition, small, a), np.where(condition, small, a), dtype=eagre.float64)
    whole = make((3,), np.int64)
    mixed = np.where(condition, whole, small).astype(np.float32)
    yield Sample((condition, whole, small), mixed, dtype=eagre.float32)
    z = np.asarray([1 + 2j, 3j, 4])
    yield Sample((condition, z, 0), np.where(condition, z, 0), dtype=eagre.complex128)


def where_method():
    a, condition, b = make((2, 3)), make((3,), np.bool_), make((2, 1), seed=2)
    yield Sample((a, condition, b), np.where(condition, a, b))
    yield Sample((a, condition, 0), np.where(condition, a, 0))


def masked_fill():
    for dtype in DTYPES:
        for shape in SHAPES:
            a, mask = make(shape, dtype), make(shape, np.bool_, 1)
            yield Sample((a, mask, 1), np.where(mask, np.asarray(1, dtype), a))
    for shape, masked in (((2, 3), (3,)), ((3,), (2, 3)), ((2, 3), ()), ((0, 3), (3,))):
        a, mask = make(shape), make(masked, np.bool_, 1)
        yield Sample((a, mask, -2.5), np.where(mask, -2.5, a))
    a, mask = strided((3, 2)), strided((3, 2), np.bool_, 1)
    yield Sample((a, mask, np.asarray(4.5)), np.where(mask, 4.5, a))
    small = make((3, 2), np.float32)
    filled = np.where(mask, np.float32(4.5), small)
    yield Sample((small, mask, np.asarray(4.5)), filled, dtype=eagre.float32)
    whole = make((3, 2), np.int32)
    for value in (3.0, 3.7, -3.7, np.asarray(3.7)):  # the fraction is cut off
        yield Sample((whole, mask, value), np.where(mask, np.int32(value), whole))
    yield Sample((small, mask, -np.inf), np.where(mask, np.float32(-np.inf), small))


BOUNDED = [d for d in DTYPES if d is not np.bool_]


def clamp():
    def sample(a, low, high, **named):
        with np.errstate(all="ignore"):
            return Sample((a, low, high), np.asarray(np.clip(a, low, high)), named)

    for dtype in BOUNDED:
        for shape in SHAPES:
            low = np.minimum(make(shape, dtype, 1), make(shape, dtype, 2))
            high = np.maximum(make(shape, dtype, 1), make(shape, dtype, 2))
            yield sample(make(shape, dtype), low, high)
    a = make((4, 5))
    yield Sample((a, -0.5, 0.7), np.clip(a, -0.5, 0.7))
    yield Sample((a, 0.7, -0.5), np.full((4, 5), -0.5))
    yield Sample((a,), np.maximum(a, 0.25), {"min": 0.25})
    yield Sample((a,), np.minimum(a, 0.25), {"max": 0.25})
    yield Sample((a, make((5,), seed=1)), np.maximum(a, make((5,), seed=1)))
    low = make((5,), seed=1)
    yield Sample((a, low, 1.5), np.clip(a, low, 1.5))
    yield Sample((strided((3, 2)), -1, 1), np.clip(strided((3, 2)), -1, 1))
    whole = make((5,), np.int64)
    yield Sample((whole, -3, 3), np.clip(whole, -3, 3))
    yield Sample((whole, 0.5), np.maximum(whole, 0.5).astype(np.float32), dtype=eagre.float32)
    special = np.asarray([np.nan, np.inf, -np.inf, 0.0])
    yield Sample((special, -1, 1), np.clip(special, -1, 1))
    large = np.asarray([2**63, 2**64 - 1, 1], np.uint64)
    yield Sample((large, large[::-1].copy()), np.maximum(large, large[::-1]))


def bound(function):
    def generate():
        for dtype in BOUNDED:
            for shape in SHAPES:
                a, b = make(shape, dtype, 1), make(shape, dtype, 2)
                yield Sample((a, b), np.asarray(function(a, b)))
        a = make((3, 2))
        yield Sample((a, 0.25), function(a, 0.25))
        yield Sample((a, make((2,), seed=3)), function(a, make((2,), seed=3)))
        yield Sample((strided((3, 2)), 0.25), function(strided((3, 2)), 0.25))
        special = np.asarray([np.nan, np.inf, -np.inf, 0.0])
        yield Sample((special, 1.0), function(special, 1.0))

    generate.__module__ = __name__
    return generate


clamp_min = bound(np.maximum)
clamp_max = bound(np.minimum)


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


def _mask(*shape):
    return tensor(*shape, dtype=np.bool_)


BAD = {
    (op, "shapes_do_not_broadcast"): (
        lambda op=op: getattr(eagre, op)(tensor(4), tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        [f"{op}()", "[4]", "[3]"],
    )
    for op in ("lerp", "addcmul", "addcdiv")
}
for _op in ("clamp", "clamp_min", "clamp_max"):
    BAD[_op, "shapes_do_not_broadcast"] = (
        lambda op=_op: getattr(eagre, op)(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        ["clamp", "[4]", "[3]"],
    )
BAD |= {
    ("where", "condition"): (
        lambda: eagre.where(tensor(3), tensor(3), 0),
        eagre.DTypeError,
        ["where()", "'condition'", "bool", "float32"],
    ),
    ("where", "shapes_do_not_broadcast"): (
        lambda: eagre.where(_mask(3), tensor(4), 0),
        eagre.InvalidArgumentError,
        ["where()", "[4]", "[3]"],
    ),
    ("masked_fill", "mask"): (
        lambda: tensor(3).masked_fill(tensor(3), 0),
        eagre.DTypeError,
        ["masked_fill()", "'mask'", "bool", "float32"],
    ),
    ("masked_fill", "shapes_do_not_broadcast"): (
        lambda: tensor(3).masked_fill_(_mask(2, 3), 0),
        eagre.InvalidArgumentError,
        ["masked_fill_()", "[2, 3]", "[3]"],
    ),
    ("masked_fill", "value_with_dimensions"): (
        lambda: tensor(3).masked_fill(_mask(3), tensor(3)),
        eagre.InvalidArgumentError,
        ["masked_fill()", "'value'", "[3]", "where"],
    ),
    ("masked_fill", "too_large_for_integers"): (
        lambda: tensor(3, dtype=np.uint8).masked_fill(_mask(3), 300),
        eagre.InvalidArgumentError,
        ["masked_fill()", "'value'", "uint8", "300"],
    ),
    ("masked_fill", "complex_tensor_for_floats"): (
        lambda: tensor(3).masked_fill(_mask(3), eagre.tensor(1j)),
        eagre.InvalidArgumentError,
        ["masked_fill()", "'value'", "float32"],
    ),
    ("masked_fill", "complex_for_floats"): (
        lambda: tensor(3).masked_fill_(_mask(3), 1j),
        eagre.InvalidArgumentError,
        ["masked_fill", "'value'", "float32", "i"],
    ),
    ("clamp", "no_bounds"): (
        lambda: tensor(3).clamp(),
        eagre.InvalidArgumentError,
        ["clamp()", "'min'", "'max'"],
    ),
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
}
