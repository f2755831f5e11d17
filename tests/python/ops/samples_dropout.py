"""Samples of ops/dropout.yaml."""

import numpy as np
from mistakes import tensor
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


BAD = {
    ("dropout", "probability_above_one"): (
        lambda: eagre.dropout(tensor(2), 1.5),
        eagre.InvalidArgumentError,
        ["dropout()", "'p'", "1.5"],
    ),
    ("dropout", "integers"): (
        lambda: eagre.dropout(tensor(2, dtype=np.int64)),
        eagre.UnimplementedError,
        ["int64"],
    ),
}
