"""Samples of the operators on truth values and bits: `test.samples` of ops/logic.yaml."""

import numpy as np
from samples import DTYPES, PAIRS, SHAPES, Sample, make, strided

import eagre

WHOLE = [d for d in DTYPES if np.issubdtype(d, np.integer)]
NARROW = [np.uint8, np.int8, np.int16, np.int32, np.int64]


def tensor(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def bitwise_not():
    for dtype in (np.bool_, *WHOLE):
        for shape in SHAPES:
            yield Sample((make(shape, dtype),), np.invert(make(shape, dtype)))
    yield Sample((strided((3, 2), np.int64),), np.invert(strided((3, 2), np.int64)))
    large = np.asarray([2**63, 2**64 - 1], np.uint64)
    yield Sample((large,), np.invert(large))


def on_bits(function, dtypes=(np.bool_, *WHOLE), domain=lambda a: a):
    def generate():
        def sample(a, b):
            b = domain(b)
            return Sample((a, b), np.asarray(function(a, b)))

        for dtype in dtypes:
            for shape in SHAPES:
                yield sample(make(shape, dtype, 1), make(shape, dtype, 2))
        for left, right in PAIRS:
            yield sample(make(left, np.int64, 1), make(right, np.int64, 2))
        yield sample(strided((3, 2), np.int32, 1), strided((3, 2), np.int32, 2))
        a = make((3,), np.int64)
        yield Sample((a, 5), function(a, 5))
        small = make((3,), np.int8)
        yield Sample((small, 3), function(small, np.int8(3)))
        mixed = make((3,), np.int16), domain(make((3,), np.int64))
        yield Sample(mixed, function(*mixed))

    generate.__module__ = __name__
    return generate


bitwise_and = on_bits(np.bitwise_and)
bitwise_or = on_bits(np.bitwise_or)
bitwise_xor = on_bits(np.bitwise_xor)


def count_of(a):
    return np.asarray(abs(a) % 7).astype(a.dtype)


def bitwise_left_shift():
    yield from on_bits(np.left_shift, NARROW, count_of)()
    for dtype in NARROW:  # counts that no type has room for
        a = np.asarray([1, 5, 100], dtype)
        yield Sample((a, 64), np.zeros(3, dtype))
    yield Sample((np.asarray([1, -5]), -1), np.zeros(2, np.int64))


def bitwise_right_shift():
    yield from on_bits(np.right_shift, NARROW, count_of)()
    for count in (64, 200, -1):
        yield Sample((np.asarray([1, -5, 100]), count), np.asarray([0, -1, 0]))


BAD = {}
for _op in ("logical_and", "logical_or", "logical_xor"):
    BAD[_op, "shapes_do_not_broadcast"] = (
        lambda op=_op: getattr(eagre, op)(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        [f"{_op}()", "[4]", "[3]"],
    )
for _name in ("and", "or", "xor", "left_shift", "right_shift"):
    _op = f"bitwise_{_name}"
    BAD[_op, "shapes_do_not_broadcast"] = (
        lambda op=_op: getattr(eagre, op)(tensor(4, dtype=np.int64), tensor(3, dtype=np.int64)),
        eagre.InvalidArgumentError,
        [f"{_op}()", "[4]", "[3]"],
    )
    BAD[_op, "floats"] = (
        lambda op=_op: getattr(eagre, op)(tensor(4, dtype=np.int64), 1.5),
        eagre.UnimplementedError,
        [_op, "float32"],
    )
BAD["bitwise_not", "floats"] = (
    lambda: ~tensor(3),
    eagre.UnimplementedError,
    ["bitwise_not", "float32"],
)
