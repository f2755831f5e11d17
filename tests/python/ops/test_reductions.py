"""What samples cannot say of reductions, row kernels and sorting: threads, dtypes."""

import numpy as np
import pytest

import eagre
import eagre.nn.functional as F

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


@pytest.mark.parametrize("name", ["all", "any"])
def test_truth_over_no_dimension_and_of_bytes(name):
    x = eagre.tensor([[0, 1], [1, 1]], dtype=eagre.int32)
    same = getattr(x, name)(dim=[])
    assert same.dtype is eagre.bool and same.tolist() == [[False, True], [True, True]]
    assert getattr(x.to("meta"), name)(dim=[]).shape == (2, 2)
    assert getattr(x, name)(dim=[0, 1]).shape == ()
    octets = x.to(eagre.uint8)
    whole = getattr(octets, name)()
    assert whole.dtype is eagre.uint8 and whole.item() == (name == "any")
    assert getattr(octets, name)(1).dtype is eagre.uint8
    assert getattr(octets.to("meta"), name)(1).dtype is eagre.uint8
    out = eagre.empty(0, dtype=eagre.bool)
    assert getattr(eagre, name)(octets, dim=0, out=out) is out
    assert out.tolist() == ([False, True] if name == "all" else [True, True])


def test_spread_without_a_correction_is_the_usual_one():
    x = eagre.tensor([0.0, 1, 2, 3], requires_grad=True)
    for name in ("var", "std"):
        plain, none = getattr(x, name)(), getattr(x, name)(correction=None)
        assert plain.item() == none.item() == getattr(x, name)(0, correction=None).item()
        (a,), (b,) = (eagre.autograd.grad(y, x) for y in (plain, none))
        assert a.tolist() == b.tolist()


def test_sums_and_products_as_bool():
    x = eagre.arange(4.0)
    assert x.sum(dtype=eagre.bool).item() is True
    assert x.prod(dtype=eagre.bool).item() is False
    assert eagre.tensor([[0.5, 0], [0, 0]]).sum(1, dtype=eagre.bool).tolist() == [True, False]
    assert eagre.zeros(0).prod(dtype=eagre.bool).item() is True
    assert eagre.ones(3, dtype=eagre.bool).sum().item() == 3


@pytest.mark.parametrize("dtype", [eagre.float32, eagre.float64])
def test_layer_norm_of_equal_numbers_is_zero(dtype):
    for number, length in [(0.1, 5), (1e4 + 0.1, 7), (3.3333e6, 1000)]:
        x = eagre.full((2, length), number, dtype=dtype)
        assert F.layer_norm(x, (length,)).abs().max().item() == 0


def test_topk_of_nothing_from_a_number():
    values, indices = eagre.topk(eagre.tensor(5.0), 0)
    assert values.item() == 5.0 and indices.item() == 0
