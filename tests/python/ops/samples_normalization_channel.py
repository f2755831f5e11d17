"""Samples of ops/normalization_channel.yaml."""

import numpy as np
from mistakes import tensor
from samples import FLOATS, Sample, make, strided

import eagre


def beside(numbers, a):
    return numbers.reshape(-1, *[1] * (a.ndim - 2))


def scaled(value, a, weight=None, bias=None):
    value = value if weight is None else value * beside(weight, a)
    return (value if bias is None else value + beside(bias, a)).astype(a.dtype)


def by_groups(a, groups, weight=None, bias=None, eps=1e-5):
    parts = a.reshape(a.shape[0], groups, -1)
    value = (parts - parts.mean(2, keepdims=True)) / np.sqrt(parts.var(2, keepdims=True) + eps)
    return scaled(value.reshape(a.shape), a, weight, bias)


def by_channels(a, weight=None, bias=None, eps=1e-5):
    dims = (0, *range(2, a.ndim))
    value = (a - a.mean(dims, keepdims=True)) / np.sqrt(a.var(dims, keepdims=True) + eps)
    return scaled(value, a, weight, bias)


def by_running(a, mean, var, weight=None, bias=None, eps=1e-5):
    return scaled((a - beside(mean, a)) / np.sqrt(beside(var, a) + eps), a, weight, bias)


def tolerance(a):
    return 1e-5 if a.dtype == np.float32 else None


def parameters(channels, dtype=np.float64):
    return make((channels,), dtype, 1), make((channels,), dtype, 2)


def running(channels, dtype=np.float64):
    return make((channels,), dtype, 3), np.abs(make((channels,), dtype, 4)) + 0.5


def batch_norm():
    for dtype in FLOATS:
        for shape in ((4, 3), (3, 2, 5), (2, 3, 3, 2), (2, 2, 2, 1, 3)):
            a = make(shape, dtype)
            w, b = parameters(shape[1], dtype)
            m, v = running(shape[1], dtype)
            kept = tolerance(a)
            yield Sample((a, w, b, None, None, True, 0.1, 1e-5), by_channels(a, w, b),
                         tolerance=kept)  # fmt: skip
            yield Sample((a, None, b, m, v, False, 0.1, 0.1), by_running(a, m, v, None, b, 0.1),
                         tolerance=kept)  # fmt: skip
    a = strided((3, 2, 4))
    yield Sample((a, None, None, None, None, True, 0.1, 1e-5), by_channels(a))
    yield Sample((make((0, 3)), None, None, None, None, True, 0.1, 1e-5), np.zeros((0, 3)))
    large = make((3, 2, 40, 30), np.float32) + 100
    kept = by_channels(large.astype(np.float64)).astype(np.float32)
    yield Sample((large, None, None, None, None, True, 0.1, 1e-5), kept, tolerance=1e-4)


def instance_norm():
    for dtype in FLOATS:
        a = make((2, 3, 4), dtype)
        w, b = parameters(3, dtype)
        m, v = running(3, dtype)
        kept = tolerance(a)
        yield Sample((a, w, b, None, None, True, 0.1, 1e-5), by_groups(a, 3, w, b), tolerance=kept)
        yield Sample((a, w, None, m, v, False, 0.1, 1e-5), by_running(a, m, v, w), tolerance=kept)
    a = strided((2, 3, 2, 2))
    yield Sample((a, None, None, None, None, True, 0.1, 1e-5), by_groups(a, 3))


def group_norm():
    for dtype in FLOATS:
        a = make((2, 4, 3), dtype)
        w, b = parameters(4, dtype)
        kept = tolerance(a)
        yield Sample((a, 2), by_groups(a, 2), tolerance=kept)
        yield Sample((a, 4, w, b, 0.1), by_groups(a, 4, w, b, 0.1), tolerance=kept)
        yield Sample((a, 1, None, b), by_groups(a, 1, None, b), tolerance=kept)
    yield Sample((make((3, 6)), 2), by_groups(make((3, 6)), 2))
    yield Sample((strided((2, 4, 2, 2)), 2), by_groups(strided((2, 4, 2, 2)), 2))
    yield Sample((make((0, 4, 2)), 2), np.zeros((0, 4, 2)))


def local_response_norm():
    def expected(a, size, alpha=1e-4, beta=0.75, k=1.0):
        behind = (size - 1) // 2
        padded = np.pad(a**2, [(0, 0), (size // 2, behind), *[(0, 0)] * (a.ndim - 2)])
        total = sum(padded[:, i : i + a.shape[1]] for i in range(size))
        return a / (k + alpha * total / size) ** beta

    a = make((2, 5, 3))
    for size in (1, 2, 3, 4, 12):
        rest = {"alpha": 0.5, "beta": 0.6, "k": 2.0}
        yield Sample((a, size), expected(a, size, **rest), rest)
    yield Sample((make((1, 3, 2, 2)), 3), expected(make((1, 3, 2, 2)), 3))


def norm(name, *args, **kwargs):
    return lambda: getattr(eagre.nn.functional, name)(*args, **kwargs)


INVALID = eagre.InvalidArgumentError
BAD = {
    ("batch_norm", "zero_dim"): (
        norm("batch_norm", tensor(), None, None, training=True),
        INVALID,
        ["batch_norm()", "'input'", "2 dimensions"],
    ),
    ("batch_norm", "weight_size"): (
        norm("batch_norm", tensor(2, 3), None, None, tensor(2), training=True),
        INVALID,
        ["batch_norm()", "'weight'", "3 channels", "[2]"],
    ),
    ("batch_norm", "one_value"): (
        norm("batch_norm", tensor(1, 3), None, None, training=True),
        INVALID,
        ["batch_norm()", "Expected more than 1 value per channel when training", "[1, 3]"],
    ),
    ("batch_norm", "no_statistics"): (
        norm("batch_norm", tensor(2, 3), None, None),
        INVALID,
        ["batch_norm()", "'running_mean'", "None"],
    ),
    ("batch_norm", "statistics_size"): (
        norm("batch_norm", tensor(2, 3), tensor(3), tensor(2)),
        INVALID,
        ["batch_norm()", "'running_var'", "[2]"],
    ),
    ("batch_norm", "integers"): (
        norm("batch_norm", tensor(2, 3, dtype=np.int64), None, None, training=True),
        eagre.DTypeError,
        ["batch_norm()", "'input'", "int64"],
    ),
    ("instance_norm", "one_value"): (
        norm("instance_norm", tensor(2, 3, 1)),
        INVALID,
        ["instance_norm()", "Expected more than 1"],
    ),
    ("instance_norm", "no_statistics"): (
        norm("instance_norm", tensor(2, 3, 2), use_input_stats=False),
        INVALID,
        ["instance_norm()", "'running_mean'"],
    ),
    ("group_norm", "groups_do_not_divide"): (
        norm("group_norm", tensor(2, 3), 2),
        INVALID,
        ["group_norm()", "'num_groups'", "divisible by num_groups", "2"],
    ),
    ("group_norm", "no_groups"): (
        norm("group_norm", tensor(2, 3), 0),
        INVALID,
        ["group_norm()", "'num_groups'", "positive"],
    ),
    ("group_norm", "no_pixels"): (
        norm("group_norm", tensor(2, 4, 0), 2),
        INVALID,
        ["group_norm()", "'input'", "Expected HxW to be greater than 0", "[2, 4, 0]"],
    ),
    ("group_norm", "weight_size"): (
        norm("group_norm", tensor(2, 4), 2, tensor(2)),
        INVALID,
        ["group_norm()", "'weight'", "[2]"],
    ),
    ("group_norm", "one_dim"): (
        norm("group_norm", tensor(4), 2),
        INVALID,
        ["group_norm()", "'input'", "[4]"],
    ),
    ("group_norm", "one_value"): (
        norm("group_norm", tensor(1, 4), 4),
        INVALID,
        ["group_norm()", "Expected more than 1 value per channel"],
    ),
    ("local_response_norm", "two_dims"): (
        norm("local_response_norm", tensor(2, 3), 2),
        INVALID,
        ["local_response_norm()", "'input'", "[2, 3]"],
    ),
    ("local_response_norm", "no_size"): (
        norm("local_response_norm", tensor(2, 3, 2), 0),
        INVALID,
        ["local_response_norm()", "'size'", "0"],
    ),
}
