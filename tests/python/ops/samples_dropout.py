"""Samples of ops/dropout.yaml."""

import numpy as np
from mistakes import refused_call, tensor
from samples import Sample, make

import eagre


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


def native_dropout():
    a = make((2, 3))
    all_of_them = np.ones((2, 3), bool)
    yield Sample((a, 0.5, False), (a, all_of_them))
    yield Sample((a, 0.0, True), (a, all_of_them))
    yield Sample((a, 1.0, None), (np.zeros((2, 3)), ~all_of_them))


def unchanged(training):
    """Nothing is dropped with a probability of 0, or after training; everything with one of 1."""
    a = make((2, 3, 2))
    yield Sample((a, 0.5, False), a)
    yield Sample((a, 0.0, True), a)
    yield Sample((a, 1.0, True), np.zeros(a.shape))
    if not training:
        yield Sample((a,), a)
    yield Sample((np.zeros((2, 3, 0)), 0.5, True), np.zeros((2, 3, 0)))


def by_channel(shape, p=0.25, channel_dims=2):
    """Each channel is kept as a whole, with the probability that is asked for."""

    def check(result):
        values = result.numpy().reshape(*shape[:channel_dims], -1)
        assert (values == values[..., :1]).all()
        kept = values[..., 0] != 0
        assert abs(kept.mean() - (1 - p)) < 4 * np.sqrt(p * (1 - p) / kept.size)
        np.testing.assert_allclose(values[..., 0][kept], 2 / (1 - p), rtol=1e-6)

    return Sample((np.full(shape, 2.0), p, True), check)


def feature_dropout():
    yield from unchanged(True)
    yield by_channel((100, 101, 3))
    yield by_channel((100, 101))
    yield by_channel((50, 40, 2, 1, 2), 0.5)


def dropout1d():
    yield from unchanged(True)
    yield by_channel((100, 101, 3))
    yield by_channel((5000, 3), channel_dims=1)


def dropout2d():
    yield from unchanged(True)
    yield by_channel((100, 101, 3, 2))


def dropout3d():
    yield from (s for s in unchanged(True) if s.args[0].size)
    yield by_channel((100, 51, 2, 1, 2))
    yield by_channel((5000, 2, 1, 2), channel_dims=1)


def moments_stay(shape, p, channel_dims):
    """Mean 0 and variance 1 stay; what is dropped is one number, as often as asked for."""
    a = np.random.default_rng(3).standard_normal(shape)

    def check(result):
        values = result.numpy()
        assert abs(values.mean()) < 0.05 and abs(values.std() - 1) < 0.05
        numbers, counts = np.unique(np.round(values, 9), return_counts=True)
        scale = 1 / np.sqrt((1.7580993408473766**2 * p + 1) * (1 - p))
        np.testing.assert_allclose(
            numbers[counts.argmax()], -1.7580993408473766 * scale * (1 - p), rtol=1e-6
        )
        assert abs(counts.max() / a.size - p) < 0.02
        dropped = np.round(values, 9) == numbers[counts.argmax()]
        rows = dropped.reshape(*shape[:channel_dims], -1)
        assert channel_dims == len(shape) or (rows == rows[..., :1]).all()

    return Sample((a, p, True), check)


def alpha_dropout():
    yield from unchanged(False)
    yield moments_stay((200, 201), 0.25, 2)
    yield moments_stay((40000,), 0.5, 1)


def feature_alpha_dropout():
    yield from unchanged(False)
    yield moments_stay((200, 201, 2), 0.25, 2)


NAMES = (
    "dropout",
    "feature_dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "alpha_dropout",
    "feature_alpha_dropout",
)
BAD = {
    **{
        (name, "probability_above_one"): refused_call(name, tensor(2, 3), 1.5, words=["'p'", "1.5"])
        for name in NAMES
    },
    **{
        (name, "too_few_dimensions"): refused_call(
            name, tensor(*shape), 0.5, True, words=["'input'", "2 dimensions"]
        )
        for name, shape in (
            ("feature_dropout", (3,)),
            ("feature_alpha_dropout", (3,)),
            ("dropout2d", (3,)),
            ("dropout3d", ()),
        )
    },
    ("dropout1d", "other_dimensions"): refused_call(
        "dropout1d", tensor(2, 3, 4, 5), words=["'input'", "[2, 3, 4, 5]"]
    ),
    ("alpha_dropout", "integers"): (
        lambda: eagre.alpha_dropout(tensor(2, dtype=np.int64), 0.5, True),
        eagre.UnimplementedError,
        ["int64"],
    ),
    ("native_dropout", "probability_above_one"): refused_call(
        "native_dropout", tensor(2, 3), 1.5, True, words=["'p'", "1.5"]
    ),
    ("native_dropout", "integers"): (
        lambda: eagre.native_dropout(tensor(2, dtype=np.int64), 0.5, True),
        eagre.UnimplementedError,
        ["int64"],
    ),
    ("dropout", "integers"): (
        lambda: eagre.dropout(tensor(2, dtype=np.int64)),
        eagre.UnimplementedError,
        ["int64"],
    ),
}
