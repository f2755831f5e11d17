"""What samples of operators are made of: arrays, and generators of samples.

The samples of a record are a function of the name in its `test.samples`, in samples_<family>.py;
it yields Samples. NumPy arrays in `args` stand for tensors (with their strides), everything else is
handed over as it is. `expected` is what NumPy computes. Shapes cover 0-dim, 0-size, strided and
broadcast; BAD there holds the calls that must fail.
"""

from dataclasses import dataclass, field

import numpy as np

import eagre

FLOATS = (np.float64, np.float32)
DTYPES = {
    np.bool_: eagre.bool,
    np.uint8: eagre.uint8,
    np.int8: eagre.int8,
    np.int16: eagre.int16,
    np.int32: eagre.int32,
    np.int64: eagre.int64,
    np.uint16: eagre.uint16,
    np.uint32: eagre.uint32,
    np.uint64: eagre.uint64,
    np.float16: eagre.float16,
    np.float32: eagre.float32,
    np.float64: eagre.float64,
}
COMPLEX = {np.complex64: eagre.complex64, np.complex128: eagre.complex128}
ALL = [*DTYPES, *COMPLEX]
NUMBERS = [dtype for dtype in DTYPES if dtype is not np.bool_]
INTEGERS = (np.uint8, np.int8, np.int16, np.int32, np.int64)
NUMBERS_AND_BOOL = (np.bool_, *INTEGERS, np.float16, np.float32, np.float64)
SOME = (np.float64, np.float32, np.int64, np.bool_)
HALVES_TOO = (np.float64, np.float32, np.float16)
PRODUCT_DTYPES = (np.float64, np.float32, np.int64, np.complex64, np.complex128)
SHAPES = [(), (1,), (3,), (0,), (2, 3), (2, 0), (2, 1, 3), (1, 1, 2, 1, 2, 2)]
PAIRS = [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((2, 3), ()), ((0, 3), (1, 3))]
TRIPLES = [((2, 3), (3,), (2, 1)), ((), (2, 2), (2,)), ((2, 3), (), ()), ((0, 3), (1, 3), (3,))]
NAN, INF = np.nan, np.inf
SPECIAL = np.asarray([1, -2, 0, -0.0, NAN, INF, -INF])
WITH_NAN = np.asarray([[2.0, NAN, -1.0], [NAN, NAN, NAN], [1.0, 0.0, 3.0]])


@dataclass
class Sample:
    args: tuple
    expected: object  # an array, or a check of the result
    kwargs: dict = field(default_factory=dict)
    dtype: object = None  # of the result, where it is not NumPy's
    tolerance: float | None = None  # where the usual one of the dtype is too narrow

    def __repr__(self):
        def short(value):
            if isinstance(value, list):
                return f"[{', '.join(map(short, value))}]"
            if not isinstance(value, np.ndarray):
                return repr(value)
            packed = value.flags.c_contiguous
            return f"{value.dtype.name}{list(value.shape)}{'' if packed else ' strided'}"

        named = [f"{name}={short(value)}" for name, value in self.kwargs.items()]
        return ", ".join([*map(short, self.args), *named])


def make(shape, dtype=np.float64, seed=0):
    """Values that tell mistakes apart: no repetitions, both signs, whole numbers where asked."""
    generator = np.random.default_rng([seed, *shape])
    values = generator.uniform(-2, 2, shape)
    if dtype is np.bool_:
        return np.asarray(values > 0)
    if dtype in COMPLEX:
        values = values + 1j * generator.uniform(-2, 2, shape)
    if np.issubdtype(dtype, np.unsignedinteger):
        values = np.abs(values)
    return np.asarray(values * 10 if np.issubdtype(dtype, np.integer) else values).astype(dtype)


def strided(shape, dtype=np.float64, seed=0):
    """The same kind of values with every second element of the last dimension, transposed."""
    wide = make((*reversed(shape[1:]), 2 * shape[0]), dtype, seed)[..., ::2]
    return wide.transpose()


def unary(function, dtypes):
    for dtype in dtypes:
        for shape in SHAPES:
            yield function(make(shape, dtype))
        yield function(strided((3, 2), dtype))
    for dtype in FLOATS:
        yield function(np.asarray([np.nan, np.inf, -np.inf, 0, -0.0], dtype))


def binary(compute, dtypes=DTYPES, numbers=True):
    for dtype in dtypes:
        for shape in SHAPES:
            a, b = make(shape, dtype, 1), make(shape, dtype, 2)
            yield Sample((a, b), compute(a, b))
    for left, right in PAIRS:
        a, b = make(left, seed=1), make(right, seed=2)
        yield Sample((a, b), compute(a, b))
    a, b = strided((3, 2), seed=1), strided((3, 2), seed=2)
    yield Sample((a, b), compute(a, b))
    yield Sample((a, make((3, 2))), compute(a, make((3, 2))))
    if numbers:
        yield from with_numbers(compute)
        yield from mixed(compute)


def with_numbers(compute):
    for number in (2, -1.5, True):
        a = make((2, 2))
        yield Sample((a, number), compute(a, number))
    whole = make((3,), np.int64)
    yield Sample((whole, 2), compute(whole, 2))
    yield Sample((whole, 0.5), compute(whole, 0.5).astype(np.float32), dtype=eagre.float32)
    small = make((3,), np.float32)
    yield Sample((small, 0.5), compute(small, np.float32(0.5)))


def mixed(compute):
    """Promotion: dimensions decide, 0-dim tensors and numbers only raise the category."""
    a32, a64 = make((3,), np.float32), make((3,), np.float64)
    whole, bools = make((3,), np.int64), make((3,), np.bool_)
    zero_dim = make((), np.float64)
    yield Sample((a32, a64), compute(a32, a64), dtype=eagre.float64)
    yield Sample((whole, a32), compute(whole.astype(np.float32), a32), dtype=eagre.float32)
    yield Sample((bools, whole), compute(bools, whole), dtype=eagre.int64)
    yield Sample((a32, zero_dim), compute(a32, zero_dim.astype(np.float32)), dtype=eagre.float32)
    yield Sample((whole, zero_dim), compute(whole, zero_dim), dtype=eagre.float64)


def away_from_zero(a):
    return np.asarray(a + np.copysign(0.5, a).astype(a.dtype)) if a.dtype.kind == "f" else a


def from_expression(record):
    """For records that give their value as a NumPy expression: every dtype, shape and stride."""
    names = record["arguments"]

    def sample(*arrays):
        given = arrays
        if record["compute"] == "promote_float":
            given = [a if a.dtype.kind in "fc" else a.astype(np.float32) for a in arrays]
        with np.errstate(all="ignore"):
            values = dict(zip(names, given, strict=True))
            return Sample(arrays, np.asarray(eval(record["numpy"], {"np": np}, values)))

    dtypes = [
        d
        for d, ours in (DTYPES | COMPLEX).items()
        if repr(ours).removeprefix("eagre.") in record["dtypes"]
    ]
    for dtype in dtypes:
        for shape in SHAPES:
            yield sample(*(make(shape, dtype, seed) for seed in range(len(names))))
        yield sample(*(strided((3, 2), dtype, seed) for seed in range(len(names))))
    if len(names) == 1:
        yield sample(np.asarray([np.nan, np.inf, -np.inf, 0, -0.0]))


def in_floats(compute, domain=away_from_zero):
    """Integers are computed in float32."""

    def sample(a):
        a = domain(a)
        whole = not np.issubdtype(a.dtype, np.floating)
        with np.errstate(all="ignore"):
            return Sample((a,), np.asarray(compute(a.astype(np.float32) if whole else a)))

    yield from unary(sample, DTYPES)


def shaped(shape, dtype=eagre.float32, stride=None):
    """A check for tensors whose values are not known."""

    def check(result):
        assert result.shape == shape and result.dtype is dtype
        if stride is not None:
            assert tuple(result.stride()) == stride

    return check


def values(shape, dtype=np.float64, seed=0):
    """As make(), also for complex dtypes."""
    if dtype in COMPLEX:
        return np.asarray(make(shape, seed=seed) + 1j * make(shape, seed=seed + 1)).astype(dtype)
    return make(shape, dtype, seed)


def each(compute, dtypes, special=SPECIAL):
    """One tensor of every dtype and shape, with strides, and numbers at the edges."""
    for dtype in dtypes:
        for shape in SHAPES:
            yield Sample((make(shape, dtype),), np.asarray(compute(make(shape, dtype))))
        yield Sample((strided((3, 2), dtype),), np.asarray(compute(strided((3, 2), dtype))))
    with np.errstate(all="ignore"):
        yield Sample((special,), np.asarray(compute(special)))


def whether(expected):
    def check(result):
        assert result is expected

    return check


def several(*values):
    """Results of several: a tuple, however many."""
    return tuple(np.asarray(value) for value in values)


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


def everywhere(a):
    return a


def element_by_element(function):
    """For functions that NumPy lacks; in double."""

    def compute(a):
        values = [function(float(x)) for x in np.asarray(a).ravel()]
        return np.asarray(values, a.dtype).reshape(a.shape)

    return compute


def with_values(name, domain, values):
    """The NumPy function of this name at all shapes and dtypes, and at values of both floats. With
    NaN among them they are left out where derivatives are compared with differences."""
    compute = getattr(np, name)

    def function():
        yield from in_floats(compute, domain)
        for dtype in FLOATS:
            a = np.asarray([*values, np.nan], dtype)
            with np.errstate(all="ignore"):
                yield Sample((a,), compute(a))
        for dtype in COMPLEX:
            for shape in ((2, 3), (), (0,)):
                yield Sample((make(shape, dtype),), np.asarray(compute(make(shape, dtype))))
            yield Sample((strided((3, 2), dtype),), compute(strided((3, 2), dtype)))

    return function
