"""The number of threads changes no bit of what is computed by rows."""

import numpy as np
import pytest

import eagre

CALLS = {
    "sum": lambda x: x.sum(),
    "sum_first": lambda x: x.sum(0),
    "sum_last": lambda x: x.sum(1),
    "mean": lambda x: x.mean(),
    "var_last": lambda x: x.var(1),
    "argmax": lambda x: x.argmax(1),
    "softmax": lambda x: x.softmax(1),
    "softmax_first": lambda x: x.softmax(0),
    "cumsum": lambda x: x.cumsum(0),
    "layer_norm": lambda x: eagre.layer_norm(x, (700,)),
    "cross_entropy": lambda x: eagre.cross_entropy(x, eagre.zeros(500, dtype=eagre.int64)),
    "sort": lambda x: x.sort(1).indices,
}


@pytest.fixture
def threads():
    before = eagre.get_num_threads()
    yield eagre.set_num_threads
    eagre.set_num_threads(before)


@pytest.mark.parametrize("name", CALLS)
def test_threads_change_no_bit(name, threads):
    x = eagre.tensor(np.random.default_rng(3).standard_normal((500, 700)).astype(np.float32))
    threads(1)
    alone = CALLS[name](x).numpy().tobytes()
    threads(3)
    assert CALLS[name](x).numpy().tobytes() == alone
