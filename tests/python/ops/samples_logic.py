"""Samples of ops/logic.yaml."""

import numpy as np
from mistakes import refused, refused_call, tensor
from samples import COMPLEX, DTYPES, INF, NAN, PAIRS, SHAPES, Sample, each, make, strided, whether

import eagre

WHOLE = [d for d in DTYPES if np.issubdtype(d, np.integer)]
NARROW = [np.uint8, np.int8, np.int16, np.int32, np.int64]


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


def isposinf():
    yield from each(lambda a: a == INF, DTYPES)


def isneginf():
    yield from each(lambda a: a == -INF, DTYPES)


def isreal():
    yield from each(np.isreal, (*DTYPES, *COMPLEX))
    yield Sample((np.asarray([1 + 0j, 1j, complex(NAN, 0)]),), np.asarray([True, False, True]))


def is_nonzero():
    for dtype in (*DTYPES, *COMPLEX):
        yield Sample((np.ones((1, 1), dtype),), whether(True))
        yield Sample((np.zeros((), dtype),), whether(False))
    yield Sample((np.asarray([0.25]),), whether(True))


BAD = {
    **{
        (op, "complex_input"): refused(op, np.complex64, kind=eagre.DTypeError)
        for op in ("isposinf", "isneginf")
    },
    ("isreal", "not_a_tensor"): refused_call(
        "isreal", 1.0, kind=eagre.DTypeError, words=["'input'", "float"]
    ),
    **{
        (op, "out_of_another_dtype"): refused_call(
            op, tensor(3), *more, out=tensor(3, dtype=np.complex128), words=[wanted, "complex128"]
        )
        for op, wanted, *more in (("isposinf", "bool"), ("isneginf", "bool"))
    },
    ("is_nonzero", "many_elements"): refused_call(
        "is_nonzero", tensor(3), words=["more than one value is ambiguous"]
    ),
    ("bitwise_not", "floats"): (
        lambda: ~tensor(3),
        eagre.UnimplementedError,
        ["bitwise_not", "float32"],
    ),
}

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
