"""What samples cannot say of reductions, row kernels and sorting: threads, complex numbers."""

import numpy as np
import pytest

import eagre
from eagre.nn import functional

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


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", ["sum", "mean", "prod"])
def test_complex_numbers(name, dtype):
    generator = np.random.default_rng(1)
    a = (generator.standard_normal((3, 4)) + 1j * generator.standard_normal((3, 4))).astype(dtype)
    tolerance = 1e-5 if dtype is np.complex64 else 1e-12
    for given, axis in (((), None), ((0,), 0), ((-1,), 1), (((0, 1),), (0, 1))):
        result = getattr(eagre.tensor(a), name)(*given)
        np.testing.assert_allclose(result.numpy(), getattr(a, name)(axis), rtol=tolerance)
    turned = eagre.tensor(a).transpose(0, 1)
    np.testing.assert_allclose(getattr(turned, name)(0).numpy(), getattr(a, name)(1), tolerance)


def test_running_sum_of_complex_numbers():
    a = np.asarray([1 + 2j, 3 - 1j, 1j])
    np.testing.assert_allclose(eagre.tensor(a).cumsum(0).numpy(), a.cumsum())


def test_equal_extremes_share_the_gradient_of_amax_but_not_of_max():
    x = eagre.tensor([1.0, 3.0, 3.0], requires_grad=True)
    x.amax().backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.5]
    x.grad = None
    x.max(0).values.backward()
    assert x.grad.tolist() == [0.0, 1.0, 0.0]


def test_gradient_of_dropout_has_the_same_mask():
    x = eagre.ones(1000, requires_grad=True)
    result = eagre.dropout(x, 0.5)
    result.sum().backward()
    assert x.grad.tolist() == result.tolist()
    assert set(x.grad.tolist()) == {0.0, 2.0}


def test_a_seed_repeats_the_mask_of_dropout():
    x = eagre.ones(100)
    eagre.manual_seed(5)
    first = eagre.dropout(x).tolist()
    second = eagre.dropout(x).tolist()
    eagre.manual_seed(5)
    assert eagre.dropout(x).tolist() == first != second


def test_padding_row_gets_no_gradient():
    table = eagre.ones(3, 2, requires_grad=True)
    eagre.embedding(table, eagre.tensor([0, 1, 1, 2]), padding_idx=1).sum().backward()
    assert table.grad.tolist() == [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]


def test_ignored_elements_do_not_spread_infinities():
    logs = eagre.tensor([[-float("inf"), 0.0], [0.0, -1.0]])
    assert eagre.nll_loss(logs, eagre.tensor([-100, 1])).item() == 1.0


def test_functional_has_the_operators_themselves():
    assert functional.softmax is eagre.softmax
    assert functional.cross_entropy is eagre.cross_entropy
