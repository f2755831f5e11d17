"""Samples of ops/activation_random.yaml."""

import numpy as np
from mistakes import refused, refused_call, tensor
from samples import HALVES_TOO, Sample, make

import eagre


def gumbel_softmax():
    logits = np.log(np.asarray([0.1, 0.2, 0.3, 0.4]))

    def of_shape(dtype, hard):
        def check(result):
            values = result.numpy()
            assert result.dtype is dtype and values.shape == (20000, 4)
            np.testing.assert_allclose(values.sum(1), 1, rtol=1e-3)
            assert not hard or set(np.unique(np.round(values, 6))) == {0.0, 1.0}
            # The largest is chosen with the probability that the logits say.
            chosen = np.bincount(values.argmax(1), minlength=4) / 20000
            np.testing.assert_allclose(chosen, [0.1, 0.2, 0.3, 0.4], atol=0.02)

        return check

    for dtype, ours in ((np.float32, eagre.float32), (np.float64, eagre.float64)):
        many = np.tile(logits, (20000, 1)).astype(dtype)
        yield Sample((many, 1.0), of_shape(ours, False))
        yield Sample((many, 0.5, True), of_shape(ours, True))
    sure = np.asarray([[0.0, 900.0], [900.0, 0.0]])
    yield Sample((sure,), sure / 900, {"hard": True, "dim": 1})
    yield Sample((sure, 2.0), sure / 900)
    yield Sample((np.zeros((2, 0)),), np.zeros((2, 0)))


def rrelu():
    for dtype in HALVES_TOO:
        for shape in ((), (3,), (0,), (2, 3)):
            a = make(shape, dtype)
            slope = dtype(0.22916666666666666)
            yield Sample((a,), np.where(a > 0, a, a * slope))
        a = make((2, 3), dtype)
        yield Sample((a, 0.25, 0.25, True), np.where(a > 0, a, a * dtype(0.25)))

    def check(result):
        slopes = -result.numpy()[0]
        assert slopes.min() >= 0.25 and slopes.max() < 0.75
        # Moments of the uniform distribution, and as many above the middle as below.
        assert abs(slopes.mean() - 0.5) < 0.005
        assert abs(slopes.std() - 0.5 / np.sqrt(12)) < 0.005
        assert abs((slopes > 0.5).mean() - 0.5) < 0.02
        np.testing.assert_array_equal(result.numpy()[1], 3)

    rows = np.stack([np.full(20000, -1.0), np.full(20000, 3.0)])
    yield Sample((rows, 0.25, 0.75, True), check)


BAD = {
    ("gumbel_softmax", "dim_out_of_range"): (
        lambda: eagre.gumbel_softmax(tensor(2, 3), dim=2),
        eagre.IndexOutOfRangeError,
        ["gumbel_softmax()", "'dim'", "range of [-2, 1]"],
    ),
    ("gumbel_softmax", "integers"): refused("gumbel_softmax", np.int64),
    ("rrelu", "integers"): refused("rrelu", np.int64),
    ("rrelu", "limits"): refused_call(
        "rrelu", tensor(2), 0.5, 0.25, words=["'lower'", "'upper'", "0.25"]
    ),
    ("rrelu", "infinite"): refused_call(
        "rrelu", tensor(2), 0.5, float("inf"), words=["'upper'", "inf"]
    ),
}
