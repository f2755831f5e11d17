"""What samples do not say of operators that are made of others: norms along dimensions, much data,
questions about values, and functions without a record."""

import numpy as np
import pytest

import eagre

RANDOM = np.random.default_rng(0)


def leaf(*shape):
    return eagre.tensor(RANDOM.normal(size=shape), requires_grad=True)


def check(result, expected):
    np.testing.assert_allclose(result.detach().numpy(), expected, rtol=1e-6, atol=1e-12)
    assert tuple(result.shape) == np.shape(expected)


@pytest.mark.parametrize("p", [1, 2, 3, 0.5, -1, float("inf"), float("-inf"), "fro", 0])
@pytest.mark.parametrize("dim", [None, 1, (0, 1)])
def test_norm(p, dim):
    a = leaf(3, 4)
    x = np.abs(a.detach().numpy())
    order = 2 if p == "fro" else p
    axis = (0, 1) if dim is None else dim
    if order == float("inf"):
        expected = x.max(axis)
    elif order == float("-inf"):
        expected = x.min(axis)
    elif order == 0:
        expected = (x != 0).sum(axis).astype(float)
    else:
        expected = (x**order).sum(axis) ** (1 / order)
    check(eagre.norm(a, p, dim), expected)
    check(a.norm(p, dim, keepdim=True), np.expand_dims(expected, axis))


def test_norm_has_a_gradient_at_zero():
    x = eagre.zeros(3, requires_grad=True)
    (eagre.norm(x) + eagre.norm(x, 3)).backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_broadcasting():
    assert eagre.broadcast_shapes((2, 1), (3,), 3) == (2, 3)
    assert isinstance(eagre.broadcast_shapes((2,)), eagre.Size)
    with pytest.raises(RuntimeError, match="mismatch"):
        eagre.broadcast_shapes((2,), (3,))
    a, b = eagre.broadcast_tensors(leaf(2, 1), leaf(3))
    assert a.shape == b.shape == (2, 3)
    assert leaf(3).broadcast_to((2, 3)).shape == (2, 3)


@pytest.mark.parametrize("indexing", ["ij", "xy"])
def test_meshgrid(indexing):
    vectors = [leaf(n) for n in (2, 3, 4)]
    expected = np.meshgrid(*(v.detach().numpy() for v in vectors), indexing=indexing)
    for grid, array in zip(eagre.meshgrid(*vectors, indexing=indexing), expected, strict=True):
        check(grid, array)


def test_logcumsumexp_has_an_exact_gradient_next_to_large_numbers():
    x = eagre.tensor([1e4, 1.0, 2.0], requires_grad=True)
    eagre.logcumsumexp(x, 0).backward(eagre.tensor([0.5, -1.25, 3.0]))
    assert x.grad.tolist() == [2.25, 0.0, 0.0]


def test_unique_rows_are_found_by_one_sort():
    x = np.random.default_rng(0).integers(0, 2, (3000, 12))
    rows, inverse = eagre.unique(eagre.tensor(x), return_inverse=True, dim=0)
    assert rows.tolist() == np.unique(x, axis=0).tolist()
    assert (rows[inverse] == eagre.tensor(x)).all()


def test_isin_and_cdist_of_much():
    """In memory of the order of the inputs, not of their product."""
    x = eagre.arange(200_000)
    assert eagre.isin(x, x * 2).sum().item() == 100_000
    nan = float("nan")
    assert eagre.isin(eagre.tensor([nan, 1.0]), eagre.tensor([nan, 1.0])).tolist() == [False, True]
    eagre.cpu.reset_peak_memory_stats()
    rows = eagre.ones(1000, 100)
    before = eagre.cpu.memory_allocated()
    assert eagre.cdist(rows, rows * 2).shape == (1000, 1000)
    assert eagre.cpu.max_memory_allocated() - before < 200_000_000
    assert eagre.cdist(rows[:7], rows[:5] + 1)[6, 4].item() == 10


def test_indices_of_triangles_of_huge_matrices():
    assert eagre.tril_indices(3, 2**63 - 1, -1).tolist() == [[1, 2, 2], [0, 0, 1]]
    assert eagre.triu_indices(1 << 62, 3).tolist() == [[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]
    assert eagre.tril_indices(1 << 62, 1, -(1 << 62)).shape == (2, 0)
    with pytest.raises(MemoryError, match="too many"):
        eagre.tril_indices(1 << 62, 1, 64)


def test_answers_need_values():
    x = eagre.ones(2, 3)
    for ask in (eagre.equal, eagre.allclose):
        assert ask(x, x) is True and ask(x, x + 1) is False
        with pytest.raises(RuntimeError, match="vmap"):
            eagre.func.vmap(ask)(x, x)
        with pytest.raises(RuntimeError, match="meta"):
            ask(x.to("meta"), x.to("meta"))
    assert eagre.is_same_size(x.to("meta"), x)
    assert eagre.ones(2, requires_grad=True).equal(eagre.ones(2))


def test_functions_without_a_record():
    x = leaf(4, 5)
    a = x.detach().numpy()
    check(eagre.chain_matmul(x, x.t(), x), a @ a.T @ a)
    places = eagre.unravel_index(eagre.tensor([0, 7, 19]), (4, 5))
    assert [p.tolist() for p in places] == [list(p) for p in np.unravel_index([0, 7, 19], (4, 5))]
