"""Samples of the functions of neural networks."""

import numpy as np
from samples import FLOATS, Sample, _t, make, strided

import eagre


def softmax_of(a, dim):
    e = np.exp(a - a.max(axis=dim, keepdims=True))
    return e / e.sum(axis=dim, keepdims=True)


def _along(compute):
    for dtype in FLOATS:
        for shape, dim in (((3,), 0), ((2, 3), 1), ((2, 3), 0), ((2, 3, 2), 1), ((2, 3), -2)):
            yield Sample((make(shape, dtype), dim), compute(make(shape, dtype), dim).astype(dtype))
    half = make((2, 3), np.float16)
    yield Sample((half, 1), compute(half.astype(np.float32), 1).astype(np.float16))
    yield Sample((strided((3, 2)), 1), compute(strided((3, 2)), 1))
    yield Sample((np.asarray([1000.0, 1000.0]), 0), compute(np.asarray([0.0, 0.0]), 0))
    yield Sample((make((3,), np.float32), 0), compute(make((3,), np.float32).astype(np.float64), 0),
                 {"dtype": eagre.float64}, tolerance=1e-7)  # fmt: skip
    yield Sample((make((2, 0)), 0), np.zeros((2, 0)))
    yield Sample((make((0, 2)), 0), np.zeros((0, 2)))
    yield Sample((make(()), 0), compute(make((1,)), 0).reshape(()))
    yield Sample((np.asarray([np.nan, 1.0]), 0), np.full(2, np.nan))
    wide = make((3, 5000), np.float32)
    yield Sample((wide, 1), compute(wide.astype(np.float64), 1).astype(np.float32))


def softmax():
    yield from _along(softmax_of)


def log_softmax():
    yield from _along(lambda a, dim: np.log(softmax_of(a, dim)))


def norm_of(a, count, weight=None, bias=None, eps=1e-5):
    dims = tuple(range(a.ndim - count, a.ndim))
    centered = a - a.mean(dims, keepdims=True)
    out = centered / np.sqrt((centered**2).mean(dims, keepdims=True) + eps)
    out = out if weight is None else out * weight
    return (out if bias is None else out + bias).astype(a.dtype)


def layer_norm():
    for dtype in FLOATS:
        a, w, b = make((2, 4), dtype), make((4,), dtype, 1), make((4,), dtype, 2)
        tolerance = 1e-5 if dtype is np.float32 else None
        yield Sample((a, (4,)), norm_of(a, 1), tolerance=tolerance)
        yield Sample((a, (4,), w, b), norm_of(a, 1, w, b), tolerance=tolerance)
        yield Sample((a, (4,), w), norm_of(a, 1, w), tolerance=tolerance)
        yield Sample((a, (4,), None, b), norm_of(a, 1, None, b), tolerance=tolerance)
    a, w, b = make((2, 2, 3)), make((2, 3), seed=1), make((2, 3), seed=2)
    yield Sample((a, (2, 3), w, b), norm_of(a, 2, w, b, 0.1), {"eps": 0.1})
    yield Sample((make((3,)), [3]), norm_of(make((3,)), 1))
    yield Sample((strided((3, 2)), (2,)), norm_of(strided((3, 2)), 1))
    yield Sample((make((0, 3)), (3,)), np.zeros((0, 3)))
    long = make((70, 600), np.float32)
    yield Sample((long, (600,)), norm_of(long.astype(np.float64), 1).astype(np.float32),
                 tolerance=1e-5)  # fmt: skip


def embedding():
    table = make((4, 3))
    for index in ([1, 0, 1], [[3, 2], [0, 0]], 2, [], [-0]):
        places = np.asarray(index, np.int64)
        yield Sample((table, eagre.tensor(places)), table[places])
    # Row 1 gets no gradient, so it must not be compared with numbers.
    small = make((4, 3), np.float32)
    yield Sample((small, eagre.tensor([1, 3])), small[[1, 3]], {"padding_idx": 1})
    whole = make((4, 2), np.int64)
    yield Sample((whole, eagre.tensor([1, 3], dtype=eagre.int32)), whole[[1, 3]])
    yield Sample((strided((3, 2)), eagre.tensor([0, 2])), strided((3, 2))[[0, 2]])


def dropout():
    a = make((2, 3))
    yield Sample((a, 0.5, False), a)
    yield Sample((a, 0.0), a)
    yield Sample((a, 1.0), np.zeros((2, 3)))
    yield Sample((a,), a, {"p": 0.3, "training": False})

    def check(dtype):
        def inner(result):
            values = result.numpy()
            kept = values != 0
            assert result.dtype is dtype
            assert abs(kept.mean() - 0.75) < 0.02
            np.testing.assert_allclose(values[kept], 2 / 0.75, rtol=1e-3)

        return inner

    for dtype, ours in ((np.float32, eagre.float32), (np.float64, eagre.float64)):
        yield Sample((np.full((100, 101), 2, dtype), 0.25), check(ours))


def linear():
    w, b = make((4, 3), seed=1), make((4,), seed=2)
    for shape in ((3,), (2, 3), (2, 2, 3), (0, 3)):
        a = make(shape)
        yield Sample((a, w), a @ w.T)
        yield Sample((a, w, b), a @ w.T + b)
    yield Sample((make((2, 3)), make((3,), seed=1)), make((2, 3)) @ make((3,), seed=1))
    a = make((2, 3), np.float32)
    yield Sample((a, w.astype(np.float32)), a @ w.astype(np.float32).T)
    for dtype in (np.complex64, np.complex128):
        a, w, b = make((2, 3), dtype), make((4, 3), dtype, 1), make((4,), dtype, 2)
        yield Sample((a, w, b), a @ w.T + b)


BAD = {
    **{(n, "dim_out_of_range"): (
        lambda n=n: getattr(eagre, n)(_t(2, 3), 2), eagre.IndexOutOfRangeError,
        [f"{n}()", "'dim'", "-2 to 1"]) for n in ("softmax", "log_softmax")},
    **{(n, "integers"): (
        lambda n=n: getattr(eagre, n)(_t(2, 3, dtype=np.int64), 0), eagre.UnimplementedError,
        [f"{n}()", "int64"]) for n in ("softmax", "log_softmax")},
    ("layer_norm", "shape_differs"): (
        lambda: eagre.layer_norm(_t(2, 3), (2,)), eagre.InvalidArgumentError,
        ["layer_norm()", "'normalized_shape'", "[2, 3]", "[2]"]),
    ("layer_norm", "no_shape"): (
        lambda: eagre.layer_norm(_t(2, 3), ()), eagre.InvalidArgumentError,
        ["layer_norm()", "'normalized_shape'"]),
    ("layer_norm", "weight_differs"): (
        lambda: eagre.layer_norm(_t(2, 3), (3,), _t(2)), eagre.InvalidArgumentError,
        ["layer_norm()", "'weight'", "[3]", "[2]"]),
    ("layer_norm", "mixed_dtypes"): (
        lambda: eagre.layer_norm(_t(2, 3), (3,), None, _t(3, dtype=np.float64)), eagre.DTypeError,
        ["layer_norm()", "'bias'", "float32", "float64"]),
    ("embedding", "index_out_of_range"): (
        lambda: eagre.embedding(_t(4, 3), eagre.tensor([0, 4])), eagre.IndexOutOfRangeError,
        ["embedding()", "'indices'", "0 to 3", "4 at position 1"]),
    ("embedding", "float_indices"): (
        lambda: eagre.embedding(_t(4, 3), _t(2)), eagre.DTypeError,
        ["embedding()", "'indices'", "float32"]),
    ("embedding", "not_a_matrix"): (
        lambda: eagre.embedding(_t(4), eagre.tensor([0])), eagre.InvalidArgumentError,
        ["embedding()", "'weight'", "[4]"]),
    ("embedding", "padding_out_of_range"): (
        lambda: eagre.embedding(_t(4, 3), eagre.tensor([0]), 4), eagre.InvalidArgumentError,
        ["embedding()", "'padding_idx'", "0 to 3"]),
    ("dropout", "probability_above_one"): (
        lambda: eagre.dropout(_t(2), 1.5), eagre.InvalidArgumentError, ["dropout()", "'p'", "1.5"]),
    ("dropout", "integers"): (
        lambda: eagre.dropout(_t(2, dtype=np.int64)), eagre.UnimplementedError, ["int64"]),
    ("linear", "sizes_differ"): (
        lambda: eagre.linear(_t(2, 3), _t(4, 2)), eagre.InvalidArgumentError,
        ["linear()", "'input'", "[4, 2]", "[2, 3]"]),
    ("linear", "not_a_matrix"): (
        lambda: eagre.linear(_t(2, 3), _t(4, 2, 3)), eagre.InvalidArgumentError,
        ["linear()", "'weight'", "[4, 2, 3]"]),
    ("linear", "bias_does_not_fit"): (
        lambda: eagre.linear(_t(2, 3), _t(4, 3), _t(3)), eagre.InvalidArgumentError,
        ["linear()", "'bias'", "[2, 4]", "[3]"]),
    ("linear", "zero_dim"): (
        lambda: eagre.linear(_t(), _t(4, 3)), eagre.InvalidArgumentError,
        ["linear()", "'input'", "0-dim"]),
}  # fmt: skip
