"""Samples of ops/elementary.yaml."""

import numpy as np
from mistakes import does_not_broadcast, refused, tensor
from samples import (
    COMPLEX,
    DTYPES,
    INF,
    NAN,
    PAIRS,
    SHAPES,
    Sample,
    away_from_zero,
    everywhere,
    in_floats,
    make,
    pairs_of,
    strided,
    unary,
    with_values,
)

import eagre


def sqrt():
    yield from in_floats(np.sqrt, lambda a: np.asarray(np.abs(away_from_zero(a))))
    yield Sample((np.asarray([4.0, 9.0, 2.0]),), np.sqrt([4.0, 9.0, 2.0]))


def exp():
    def sample(a):
        whole = not np.issubdtype(a.dtype, np.floating)
        with np.errstate(over="ignore", invalid="ignore"):
            expected = np.asarray(np.exp(a.astype(np.float32) if whole else a))
        return Sample((a,), expected)

    yield from unary(sample, DTYPES)
    yield sample(np.asarray([-1000.0, 1000.0, 88.7, -103.0], np.float32))


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
    bools = np.asarray([True, False])
    yield Sample((bools, True), bools)
    yield Sample((bools, False), np.asarray([True, True]))
    yield Sample((bools, 2), np.asarray([1, 0]))
    z = np.asarray([1 + 2j, -0.5j, 0])
    yield Sample((z, 2), z**2, dtype=eagre.complex128)
    yield Sample((z[:2], 1.5 + 1j), z[:2] ** (1.5 + 1j), dtype=eagre.complex128)


def pow_number():
    for base, exponent in ((2, make((3,), np.int64) % 5), (2.5, make((2, 3)))):
        yield Sample((base, exponent), np.asarray(base**exponent))
    whole = np.asarray([1, 2, 3])
    yield Sample((0.5, whole), (0.5**whole).astype(np.float32), dtype=eagre.float32)


def exp2():
    yield from in_floats(np.exp2, everywhere)
    a = np.asarray([NAN, -160, 127.5, 128, -149, 1e-20], np.float32)
    with np.errstate(over="ignore"):
        yield Sample((a,), np.exp2(a))
    for dtype in COMPLEX:
        yield Sample((make((2, 3), dtype),), 2 ** make((2, 3), dtype))


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


def _other_out(op, *args):
    return (
        lambda: getattr(eagre, op)(*args, out=tensor(3)),
        eagre.InvalidArgumentError,
        [f"{op}()", "float64", "float32"],
    )


def positive_values(a):
    return np.asarray(np.abs(away_from_zero(a)))


expm1 = with_values("expm1", everywhere, [1e-10, -1e-10, 50, -50, 1e-40])
log = with_values("log", positive_values, [1e-300, 1e-40, 1, 1e30, -1, 0])
log2 = with_values("log2", positive_values, [2.0**-140, 1, 8, 1e30, -1, 0])
log10 = with_values("log10", positive_values, [1e-40, 1, 1000, 1e30, -1, 0])
log1p = with_values("log1p", positive_values, [1e-10, -1e-10, -0.75, 1e30, -1, -2])


def rsqrt():
    yield from in_floats(lambda a: 1 / np.sqrt(a), positive_values)
    for dtype in COMPLEX:
        a = make((2, 3), dtype)
        yield Sample((a,), 1 / np.sqrt(a))


BAD = {
    ("pow_number", "bools"): (
        lambda: eagre.pow(True, tensor(2, dtype=np.bool_)),
        eagre.UnimplementedError,
        ["pow()", "bool"],
    ),
    ("pow", "shapes_do_not_broadcast"): (
        lambda: eagre.pow(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        ["pow()", "[4]", "[3]"],
    ),
    **{
        (op, "integers"): refused(op, np.int64, tensor(3, dtype=np.int64))
        for op in ("logaddexp", "logaddexp2", "hypot")
    },
    ("hypot", "complex_input"): refused("hypot", np.complex64, tensor(3)),
    **{
        (op, "shapes_do_not_broadcast"): does_not_broadcast(op)
        for op in ("logaddexp", "logaddexp2", "ldexp", "float_power", "hypot")
    },
    ("float_power", "out_of_another_dtype"): _other_out("float_power", tensor(3), 2),
    ("float_power_number", "out_of_another_dtype"): _other_out("float_power", 2, tensor(3)),
    ("float_power", "float32_in_place"): (
        lambda: tensor(3).float_power_(2),
        eagre.InvalidArgumentError,
        ["float_power_()", "float64", "float32"],
    ),
    ("exp2", "integer_out"): (
        lambda: eagre.exp2(tensor(2), out=tensor(2, dtype=np.int64)),
        eagre.DTypeError,
        ["exp2()", "float32", "int64", "'out'"],
    ),
    ("pow", "negative_exponent"): (
        lambda: eagre.tensor([1, 2]) ** -1,
        eagre.InvalidArgumentError,
        ["pow()", "'exponent'", "-1"],
    ),
    ("pow", "bools"): (
        lambda: eagre.tensor([True]) ** eagre.tensor([True]),
        eagre.UnimplementedError,
        ["pow", "bool"],
    ),
}


def frexp():
    for dtype in (np.float64, np.float32, np.float16):
        for shape in ((), (3,), (2, 3), (0,)):
            mantissa, exponent = np.frexp(make(shape, dtype))
            yield Sample((make(shape, dtype),), (np.asarray(mantissa), np.asarray(exponent)))
    special = np.asarray([0.0, 1024.0, -0.375, 1e-30], np.float32)
    yield Sample((special,), np.frexp(special))


BAD |= {
    ("frexp", "integers"): (
        lambda: eagre.frexp(tensor(2, dtype=np.int64)),
        eagre.InvalidArgumentError,
        ["frexp()", "'input'", "int64"],
    ),
}
