"""Sample inputs of operators: one function per name in the records' `test.samples`.

Each yields Samples. NumPy arrays in `args` stand for tensors (with their strides), everything else
is handed over as it is. `expected` is what NumPy computes. Shapes cover 0-dim, 0-size, strided and
broadcast; BAD holds the calls that must fail.
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
SHAPES = [(), (1,), (3,), (0,), (2, 3), (2, 0), (2, 1, 3), (1, 1, 2, 1, 2, 2)]
PAIRS = [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((2, 3), ()), ((0, 3), (1, 3))]


@dataclass
class Sample:
    args: tuple
    expected: object  # an array, or a check of the result
    kwargs: dict = field(default_factory=dict)
    dtype: object = None  # of the result, where it is not NumPy's
    tolerance: float | None = None  # where the usual one of the dtype is too narrow

    def __repr__(self):
        def short(value):
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
    whole, truth = make((3,), np.int64), make((3,), np.bool_)
    zero_dim = make((), np.float64)
    yield Sample((a32, a64), compute(a32, a64), dtype=eagre.float64)
    yield Sample((whole, a32), compute(whole.astype(np.float32), a32), dtype=eagre.float32)
    yield Sample((truth, whole), compute(truth, whole), dtype=eagre.int64)
    yield Sample((a32, zero_dim), compute(a32, zero_dim.astype(np.float32)), dtype=eagre.float32)
    yield Sample((whole, zero_dim), compute(whole, zero_dim), dtype=eagre.float64)


def add():
    def compute(a, b):
        return np.asarray(np.add(a, b))

    yield from binary(compute)
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    yield Sample((a, b), a + 2.5 * b, {"alpha": 2.5})
    yield Sample((a, 4.0), a - 2 * 4.0, {"alpha": -2})
    i, j = make((3,), np.int64, 1), make((3,), np.int64, 2)
    yield Sample((i, j), i + 3 * j, {"alpha": 3})


NUMBERS = [dtype for dtype in DTYPES if dtype is not np.bool_]


def without_bools(given):
    """Truth values are not subtracted."""

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


def away_from_zero(a):
    return np.asarray(a + np.copysign(0.5, a).astype(a.dtype)) if a.dtype.kind == "f" else a


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


def reciprocal():
    yield from in_floats(lambda a: 1 / a)


def sqrt():
    yield from in_floats(np.sqrt, lambda a: np.asarray(np.abs(away_from_zero(a))))
    yield Sample((np.asarray([4.0, 9.0, 2.0]),), np.sqrt([4.0, 9.0, 2.0]))


def mul():
    yield from binary(lambda a, b: np.asarray(np.multiply(a, b)))


def exp():
    def sample(a):
        whole = not np.issubdtype(a.dtype, np.floating)
        with np.errstate(over="ignore", invalid="ignore"):
            expected = np.asarray(np.exp(a.astype(np.float32) if whole else a))
        return Sample((a,), expected)

    yield from unary(sample, DTYPES)
    yield sample(np.asarray([-1000.0, 1000.0, 88.7, -103.0], np.float32))


def clone():
    yield from unary(lambda a: Sample((a,), a), DTYPES)


def cast():
    for source in DTYPES:
        for target, dtype in DTYPES.items():
            a = make((2, 3), source)
            yield Sample((a, dtype), a.astype(target), dtype=dtype)
    yield Sample((strided((3, 2)), eagre.float32), strided((3, 2)).astype(np.float32))
    yield Sample((make((0, 2)), eagre.int64), np.zeros((0, 2), np.int64))


def to_device():
    for shape in ((), (2, 3), (0,)):
        yield Sample((make(shape), "cpu"), make(shape))


def sum():  # noqa: A001  the operator's name
    for dtype in DTYPES:
        for shape in SHAPES:
            a = make(shape, dtype)
            yield Sample((a,), summed(a))
    a = make((2, 3, 4))
    for dim in (0, 1, -1, (0, 2), [1], (-1, 0, 1)):
        axis = tuple(dim) if isinstance(dim, list) else dim
        yield Sample((a, dim), a.sum(axis))
        yield Sample((a,), a.sum(axis, keepdims=True), {"dim": dim, "keepdim": True})
    yield Sample((a, ()), a.sum())
    b = strided((3, 2))
    yield Sample((b, 0), b.sum(0))
    yield Sample((make((0, 3)), 0), np.zeros(3))
    yield Sample((make((3, 0)), 1), np.zeros(3))
    whole = make((4,), np.int64)
    yield Sample((whole,), np.asarray(whole.sum(), np.float64), {"dtype": eagre.float64})
    long = make((4099,), np.float32)
    yield Sample((long,), np.asarray(long.astype(np.float64).sum(), np.float32))


def summed(a):
    whole = not np.issubdtype(a.dtype, np.floating)
    # Halves are summed in float, as NumPy does not.
    return np.asarray(a.sum(dtype=np.int64 if whole else np.float64)).astype(
        np.int64 if whole else a.dtype
    )


def sum_to_size():
    a = make((2, 3, 4))
    yield Sample((a, (3, 4)), a.sum(0))
    yield Sample((a, (2, 1, 4)), a.sum(1, keepdims=True))
    yield Sample((a, (1, 4)), a.sum((0, 1)).reshape(1, 4))
    yield Sample((a, (2, 3, 4)), a)
    yield Sample((make((2, 0)), (1, 0)), np.zeros((1, 0)))
    yield Sample((make(()), ()), make(()))


def matmul():
    shapes = [
        ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
        ((5, 2, 3), (5, 3, 4)), ((2, 1, 2, 3), (5, 3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4)),
        ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (3, 0)),
    ]  # fmt: skip
    for dtype in PRODUCT_DTYPES:
        for left, right in shapes:
            a, b = make(left, dtype, 1), make(right, dtype, 2)
            yield Sample((a, b), np.asarray(a @ b))
    for dtype in (np.float64, np.complex128):
        a, b = strided((4, 3), dtype, seed=1), strided((3, 2), dtype, seed=2)
        yield Sample((a, b), a @ b)
    for left, right in (((40, 300), (300, 33)), ((40, 300), (300,)), ((300,), (300, 40))):
        a, b = make(left, np.float16, 1), make(right, np.float16, 2)
        # Summed in float: NumPy would round every sum.
        exact = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
        yield Sample((a, b), exact, tolerance=1e-3)
    a, b = make((70, 65), np.float32, 1), make((65, 33), np.float32, 2)
    yield Sample((a, b), a @ b, tolerance=1e-4)  # sums of 65 products in another order


PRODUCT_DTYPES = (np.float64, np.float32, np.int64, np.complex64, np.complex128)


def _products(shapes, function):
    for dtype in PRODUCT_DTYPES:
        for left, right in shapes:
            a, b = make(left, dtype, 1), make(right, dtype, 2)
            yield Sample((a, b), np.asarray(function(a, b)))


def mm():
    yield from _products(
        [((2, 3), (3, 4)), ((1, 1), (1, 1)), ((0, 3), (3, 2)), ((2, 0), (0, 3))], np.matmul
    )
    a, b = strided((4, 3), seed=1), strided((3, 2), seed=2)
    yield Sample((a, b), a @ b)


def bmm():
    yield from _products([((2, 3, 4), (2, 4, 5)), ((0, 2, 3), (0, 3, 2))], np.matmul)


def mv():
    yield from _products([((2, 3), (3,)), ((0, 3), (3,)), ((2, 0), (0,))], np.matmul)


def dot():
    yield from _products([((3,), (3,)), ((0,), (0,))], np.dot)


def vdot():
    yield from _products([((3,), (3,)), ((0,), (0,))], np.vdot)


def outer():
    yield from _products([((3,), (2,)), ((0,), (2,)), ((1,), (1,))], np.outer)


def addmm():
    for dtype in PRODUCT_DTYPES:
        a, b = make((2, 3), dtype, 1), make((3, 4), dtype, 2)
        for shape in ((2, 4), (4,), (2, 1), ()):
            c = make(shape, dtype, 3)
            yield Sample((c, a, b), c + a @ b)
            yield Sample((c, a, b), c * 2 + a @ b * 3, {"beta": 2, "alpha": 3})
    c = np.full((2, 4), np.nan)
    a, b = make((2, 3), seed=1), make((3, 4), seed=2)
    yield Sample((c, a, b), a @ b, {"beta": 0})
    a, b, c = (make((2, 2), np.complex128, seed) for seed in range(3))
    yield Sample((c, a, b), c * 1j + a @ b * (2 - 1j), {"beta": 1j, "alpha": 2 - 1j})


def transpose():
    for dtype in DTYPES:
        a = make((2, 3, 4), dtype)
        yield Sample((a, 0, 2), a.swapaxes(0, 2))
    a = make((2, 3, 4))
    yield Sample((a, -1, 1), a.swapaxes(-1, 1))
    yield Sample((a, 1, 1), a)
    yield Sample((make(()), 0, -1), make(()))
    yield Sample((make((0, 2)), 0, 1), np.zeros((2, 0)))
    yield Sample((strided((3, 2)), 0, 1), strided((3, 2)).T)


def expand():
    a = make((2, 1))
    yield Sample((a, (2, 3)), np.broadcast_to(a, (2, 3)))
    yield Sample((a, (4, 2, 3)), np.broadcast_to(a, (4, 2, 3)))
    yield Sample((a, (-1, 3)), np.broadcast_to(a, (2, 3)))
    yield Sample((a, (2, 0)), np.zeros((2, 0)))
    yield Sample((make(()), (2, 2)), np.broadcast_to(make(()), (2, 2)))
    yield Sample((make((3,), np.int64), (2, 3)), np.broadcast_to(make((3,), np.int64), (2, 3)))


def unsqueeze():
    a = make((2, 3))
    for dim in (0, 1, 2, -1, -3):
        yield Sample((a, dim), np.expand_dims(a, dim))
    yield Sample((make(()), 0), make(()).reshape(1))
    yield Sample((make((0,)), 1), np.zeros((0, 1)))
    yield Sample((strided((3, 2)), 1), strided((3, 2))[:, None])


def squeeze():
    a = make((2, 1, 3))
    yield Sample((a, 1), a[:, 0])
    yield Sample((a, -2), a[:, 0])
    yield Sample((a, 0), a)
    yield Sample((make(()), 0), make(()))
    yield Sample((make((1, 0)), 0), np.zeros(0))


def full():
    for size in ((), (3,), (2, 0), (2, 3)):
        yield Sample((size, 1.5), np.full(size, 1.5, np.float32))
    yield Sample(((2,), 7), np.full(2, 7), dtype=eagre.int64)
    yield Sample(([2], True), np.full(2, True), dtype=eagre.bool)
    yield Sample(((2,), 7), np.full(2, 7.0), {"dtype": eagre.float64})
    yield Sample(((2,), 1.0), np.full(2, 1, np.float32), {"requires_grad": True})


def rand():
    def check(size, dtype):
        def inner(result):
            assert result.shape == size and result.dtype is dtype
            values = result.detach().numpy().astype(np.float64)
            assert (values >= 0).all() and (values <= 1).all()
            if values.size > 1000:
                assert abs(values.mean() - 0.5) < 0.02 and abs(values.var() - 1 / 12) < 0.01

        return inner

    yield Sample((2, 3), check((2, 3), eagre.float32))
    yield Sample(([0, 4],), check((0, 4), eagre.float32))
    yield Sample((100, 100), check((100, 100), eagre.float64), {"dtype": eagre.float64})
    yield Sample((100, 101), check((100, 101), eagre.float32))


def randn():
    def check(size, dtype):
        def inner(result):
            assert result.shape == size and result.dtype is dtype
            values = result.detach().numpy()
            assert np.isfinite(values).all()
            if values.size > 1000:
                assert abs(values.mean()) < 0.1 and abs(values.std() - 1) < 0.1

        return inner

    yield Sample((), check((2, 3), eagre.float32), {"size": (2, 3)})
    yield Sample((2, 3), check((2, 3), eagre.float32))
    yield Sample(((2, 3),), check((2, 3), eagre.float32))
    yield Sample(((),), check((), eagre.float32))
    yield Sample((0, 3), check((0, 3), eagre.float32))
    yield Sample((40, 50), check((40, 50), eagre.float64), {"dtype": eagre.float64})
    yield Sample((3,), check((3,), eagre.float32), {"generator": eagre.Generator().manual_seed(1)})


# (op, name of the bad sample): the call, the class of the error, and words of its message.
def _t(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


BAD = {
    ("sub", "shapes_do_not_broadcast"): (
        lambda: _t(4) - _t(3), eagre.InvalidArgumentError, ["sub()", "[4]", "[3]"]),
    ("sub", "bools"): (
        lambda: _t(4, dtype=np.bool_) - _t(4, dtype=np.bool_), eagre.UnimplementedError,
        ["sub()", "two bool tensors", "logical_xor"]),
    ("sub", "bool_number"): (
        lambda: _t(4) - True, eagre.UnimplementedError, ["sub()", "a bool tensor"]),
    ("rsub", "shapes_do_not_broadcast"): (
        lambda: eagre.rsub(_t(4), _t(3)), eagre.InvalidArgumentError, ["rsub()", "[4]", "[3]"]),
    ("rsub", "bools"): (
        lambda: 1 - _t(4, dtype=np.bool_), eagre.UnimplementedError,
        ["rsub()", "a bool tensor", "logical_not"]),
    ("neg", "bools"): (
        lambda: -_t(4, dtype=np.bool_), eagre.UnimplementedError, ["neg()", "bool"]),
    ("div", "shapes_do_not_broadcast"): (
        lambda: _t(4) / _t(3), eagre.InvalidArgumentError, ["div()", "[4]", "[3]"]),
    ("add", "shapes_do_not_broadcast"): (
        lambda: eagre.add(_t(2, 3), _t(2)), eagre.InvalidArgumentError, ["add()", "[2, 3]", "[2]"]),
    ("add", "float_alpha_for_integers"): (
        lambda: eagre.add(_t(2, dtype=np.int64), 1, alpha=0.5), eagre.InvalidArgumentError,
        ["add()", "'alpha'", "0.5"]),
    ("mul", "shapes_do_not_broadcast"): (
        lambda: _t(4) * _t(3), eagre.InvalidArgumentError, ["mul()", "[4]", "[3]"]),
    ("sum", "dim_out_of_range"): (
        lambda: eagre.sum(_t(2, 3), 2), eagre.IndexOutOfRangeError, ["sum()", "'dim'", "-2 to 1"]),
    ("sum", "dim_twice"): (
        lambda: eagre.sum(_t(2, 3), (0, -2)), eagre.InvalidArgumentError, ["sum()", "'dim'"]),
    ("sum_to_size", "not_a_smaller_shape"): (
        lambda: _t(2, 3).sum_to_size(2, 2), eagre.InvalidArgumentError,
        ["sum_to_size()", "[2, 3]", "[2, 2]"]),
    ("matmul", "inner_sizes_differ"): (
        lambda: _t(2, 3) @ _t(2, 3), eagre.InvalidArgumentError,
        ["matmul()", "'other'", "3 rows", "transpose"]),
    ("matmul", "zero_dim"): (
        lambda: _t(2, 3) @ _t(), eagre.InvalidArgumentError, ["matmul()", "'other'", "0-dim"]),
    ("matmul", "mixed_dtypes"): (
        lambda: _t(2, 3) @ _t(3, dtype=np.float64), eagre.DTypeError,
        ["matmul()", "'other'", "float32", "float64"]),
    ("mm", "not_a_matrix"): (
        lambda: eagre.mm(_t(3), _t(3, 2)), eagre.InvalidArgumentError,
        ["mm()", "'input'", "a matrix", "[3]"]),
    ("mm", "inner_sizes_differ"): (
        lambda: eagre.mm(_t(2, 3), _t(2, 3)), eagre.InvalidArgumentError,
        ["mm()", "'mat2'", "3 rows", "[2, 3]"]),
    ("mm", "mixed_dtypes"): (
        lambda: eagre.mm(_t(2, 3), _t(3, 2, dtype=np.float64)), eagre.DTypeError,
        ["mm()", "'mat2'", "float32", "float64"]),
    ("bmm", "not_a_batch"): (
        lambda: eagre.bmm(_t(2, 3, 2), _t(2, 3)), eagre.InvalidArgumentError,
        ["bmm()", "'mat2'", "a batch of matrices", "[2, 3]"]),
    ("bmm", "batches_differ"): (
        lambda: eagre.bmm(_t(2, 3, 2), _t(3, 2, 3)), eagre.InvalidArgumentError,
        ["bmm()", "'mat2'", "2 matrices", "[3, 2, 3]"]),
    ("mv", "not_a_vector"): (
        lambda: eagre.mv(_t(2, 3), _t(3, 1)), eagre.InvalidArgumentError,
        ["mv()", "'vec'", "a vector", "[3, 1]"]),
    ("mv", "inner_sizes_differ"): (
        lambda: eagre.mv(_t(2, 3), _t(2)), eagre.InvalidArgumentError,
        ["mv()", "'vec'", "3 elements", "[2]"]),
    ("dot", "not_a_vector"): (
        lambda: eagre.dot(_t(2, 3), _t(3)), eagre.InvalidArgumentError,
        ["dot()", "'input'", "a vector", "[2, 3]"]),
    ("dot", "lengths_differ"): (
        lambda: eagre.dot(_t(3), _t(2)), eagre.InvalidArgumentError,
        ["dot()", "'tensor'", "3 elements", "[2]"]),
    ("vdot", "not_a_vector"): (
        lambda: eagre.vdot(_t(2, 3), _t(3)), eagre.InvalidArgumentError,
        ["vdot()", "'input'", "a vector", "[2, 3]"]),
    ("vdot", "lengths_differ"): (
        lambda: eagre.vdot(_t(2), _t(3)), eagre.InvalidArgumentError,
        ["vdot()", "'other'", "2 elements", "[3]"]),
    ("outer", "not_a_vector"): (
        lambda: eagre.outer(_t(3), _t()), eagre.InvalidArgumentError,
        ["outer()", "'vec2'", "a vector", "0-dim"]),
    ("addmm", "not_a_matrix"): (
        lambda: eagre.addmm(_t(2), _t(2, 3), _t(3)), eagre.InvalidArgumentError,
        ["addmm()", "'mat2'", "a matrix", "[3]"]),
    ("addmm", "input_does_not_fit"): (
        lambda: eagre.addmm(_t(3), _t(2, 3), _t(3, 2)), eagre.InvalidArgumentError,
        ["addmm()", "'input'", "[2, 2]", "[3]"]),
    ("transpose", "dim_out_of_range"): (
        lambda: _t(2, 3).transpose(0, 5), eagre.IndexOutOfRangeError,
        ["transpose()", "'dim1'", "got 5"]),
    ("expand", "size_cannot_grow"): (
        lambda: _t(2, 3).expand(2, 4), eagre.InvalidArgumentError, ["expand()", "'size'"]),
    ("expand", "too_few_sizes"): (
        lambda: _t(2, 3).expand(3), eagre.InvalidArgumentError, ["expand()", "'size'"]),
    ("unsqueeze", "dim_out_of_range"): (
        lambda: _t(2).unsqueeze(3), eagre.IndexOutOfRangeError, ["unsqueeze()", "'dim'", "got 3"]),
    ("squeeze", "dim_out_of_range"): (
        lambda: _t(2).squeeze(1), eagre.IndexOutOfRangeError, ["squeeze()", "'dim'", "got 1"]),
    ("full", "negative_size"): (
        lambda: eagre.full((2, -1), 0.0), eagre.InvalidArgumentError, ["full()", "'size'", "-1"]),
    ("full", "not_a_number"): (
        lambda: eagre.full((2,), float("nan"), dtype=eagre.int64), eagre.InvalidArgumentError,
        ["full()", "'fill_value'", "int64", "nan"]),
    ("full", "too_large"): (
        lambda: eagre.full((2,), 300, dtype=eagre.uint8), eagre.InvalidArgumentError,
        ["full()", "'fill_value'", "uint8", "300"]),
    ("full", "complex_value"): (
        lambda: eagre.full((2,), 2 + 1j, dtype=eagre.float32), eagre.InvalidArgumentError,
        ["full()", "'fill_value'", "float32"]),
    ("full", "out_of_another_dtype"): (
        lambda: eagre.full((2,), 1, dtype=eagre.int64, out=_t(2)), eagre.InvalidArgumentError,
        ["full()", "'dtype'", "'out'", "float32", "int64"]),
    ("rand", "negative_size"): (
        lambda: eagre.rand(-3), eagre.InvalidArgumentError, ["rand()", "'size'", "-3"]),
    ("rand", "integer_dtype"): (
        lambda: eagre.rand(2, dtype=eagre.int64), eagre.UnimplementedError, ["rand()", "int64"]),
    ("randn", "negative_size"): (
        lambda: eagre.randn(-3), eagre.InvalidArgumentError, ["randn()", "'size'", "-3"]),
    ("randn", "integer_dtype"): (
        lambda: eagre.randn(2, dtype=eagre.int64), eagre.UnimplementedError,
        ["randn()", "int64"]),
}  # fmt: skip
