"""Functions that are made of other operators, against NumPy."""

import itertools

import numpy as np
import pytest

import eagre

RANDOM = np.random.default_rng(0)


def leaf(*shape):
    return eagre.tensor(RANDOM.normal(size=shape), requires_grad=True)


def check(result, expected):
    np.testing.assert_allclose(result.detach().numpy(), expected, rtol=1e-6, atol=1e-12)
    assert tuple(result.shape) == np.shape(expected)


# --- einsum and its kin ---

EQUATIONS = [
    ("ij,jk->ik", (3, 4), (4, 5)), ("ij,jk", (3, 4), (4, 5)), ("ij->ji", (3, 4)), ("ii", (3, 3)),
    ("ii->i", (3, 3)), ("ij->", (3, 4)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("...ij,...jk->...ik", (2, 3, 4), (4, 5)), ("...ij,jk", (2, 3, 4), (4, 5)),
    ("i,j->ij", (3,), (4,)), ("i,i", (3,), (3,)), ("ij,kj,lj->ikl", (2, 3), (4, 3), (5, 3)),
    ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)), ("ij,ij->ij", (3, 4), (3, 4)),
    ("ij,kj->ik", (3, 1), (4, 5)), ("i...->...", (2, 3, 4)), ("iij->ij", (3, 3, 2)),
    ("ij,k->ik", (3, 4), (2,)), ("a...b->b...a", (2, 3, 4)), ("...,...->...", (2, 3), (3,)),
    ("i j, j k -> k", (3, 4), (4, 5)), (",ij->ij", (), (2, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("equation", "shapes"), [(e, s) for e, *s in EQUATIONS])
def test_einsum(equation, shapes):
    operands = [leaf(*shape) for shape in shapes]
    result = eagre.einsum(equation, *operands)
    arrays = [x.detach().numpy() for x in operands]
    equation = equation.replace(" ", "")
    check(result, np.einsum(equation, *arrays))
    result.square().sum().backward()
    # The gradient of a sum of squares, by differences in a random direction.
    steps = [RANDOM.normal(size=shape) for shape in shapes]

    def moved(by):
        operands = [a + by * step for a, step in zip(arrays, steps, strict=True)]
        return (np.einsum(equation, *operands) ** 2).sum()

    slope = (moved(1e-6) - moved(-1e-6)) / 2e-6
    found = sum((x.grad.numpy() * s).sum() for x, s in zip(operands, steps, strict=True))
    np.testing.assert_allclose(found, slope, rtol=1e-5)


def test_einsum_with_lists_of_labels():
    a, b = leaf(3, 4), leaf(4, 5)
    check(eagre.einsum(a, [0, 1], b, [1, 2], [0, 2]), (a @ b).detach().numpy())
    check(eagre.einsum(a, [0, 1], b, [1, 2]), (a @ b).detach().numpy())
    check(eagre.einsum("ij,jk", [a, b]), (a @ b).detach().numpy())


@pytest.mark.parametrize(
    ("equation", "count"), [("ij,jk->iz", 2), ("ij,jk->ii", 2), ("ij", 2), ("ijk", 1), ("i1,j", 2)]
)
def test_einsum_refuses(equation, count):
    with pytest.raises(RuntimeError, match=r"einsum\(\)"):
        eagre.einsum(equation, *[leaf(3, 3)] * count)


def test_einsum_refuses_sizes():
    with pytest.raises(RuntimeError, match="'j' has sizes 4 and 3"):
        eagre.einsum("ij,jk", leaf(3, 4), leaf(3, 5))
    with pytest.raises(RuntimeError, match="repeated"):
        eagre.einsum("ii", leaf(3, 4))


def test_products():
    a, b = leaf(3, 4, 5), leaf(4, 5, 2)
    x, y = a.detach().numpy(), b.detach().numpy()
    check(eagre.tensordot(a, b), np.tensordot(x, y))
    check(eagre.tensordot(a, b, dims=([1], [0])), np.tensordot(x, y, ([1], [0])))
    check(eagre.tensordot(a, b, dims=0), np.tensordot(x, y, 0))
    check(eagre.inner(a, a), np.inner(x, x))
    check(eagre.kron(a[0], b[0]), np.kron(x[0], y[0]))
    check(eagre.kron(a[0, 0], b[0]), np.kron(x[0, 0], y[0]))
    batch = y.transpose(0, 1, 2)
    check(
        eagre.baddbmm(leaf(4, 3, 2) * 0 + 1, eagre.tensor(x).permute(1, 0, 2), b, beta=2, alpha=3),
        2 + 3 * (x.transpose(1, 0, 2) @ batch),
    )
    check(eagre.addmv(leaf(3) * 0 + 1, a[:, :, 0], b[:, 0, 0]), 1 + x[:, :, 0] @ y[:, 0, 0])
    c = eagre.ones(3, dtype=eagre.float64)
    assert c.addmv_(a[:, :, 0].detach(), b[:, 0, 0].detach(), beta=2) is c
    check(c, 2 + x[:, :, 0] @ y[:, 0, 0])
    check(eagre.addr(leaf(3, 4), a[:, 0, 0], b[:, 0, 0], beta=0), np.outer(x[:, 0, 0], y[:, 0, 0]))


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


def test_out():
    a = leaf(3, 4).detach()
    target = eagre.empty(0, dtype=eagre.float64)
    assert eagre.norm(a, dim=1, out=target) is target and target.shape == (3,)
    check(eagre.linalg.vector_norm(a, dim=1), target.numpy())
    with pytest.raises(RuntimeError, match="automatic differentiation"):
        eagre.norm(leaf(2), out=target)
    with pytest.raises((RuntimeError, TypeError)):
        eagre.isposinf(a, out=eagre.empty(0, dtype=eagre.int64)).sub_(0.5)
    flags = eagre.empty(0, dtype=eagre.bool)
    assert eagre.isposinf(a, out=flags) is flags and flags.shape == (3, 4)


def test_norm_has_a_gradient_at_zero():
    x = eagre.zeros(3, requires_grad=True)
    (eagre.norm(x) + eagre.norm(x, 3)).backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(NotImplementedError, match="floating point"):
        eagre.tensor([1, 2]).norm()
    with pytest.raises(NotImplementedError, match="singular"):
        eagre.ones(2, 2).norm("nuc")


# --- shapes ---


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


def test_choices():
    a, b = eagre.tensor([1, 2]), eagre.tensor([3, 4, 5])
    rows = list(itertools.product([1, 2], [3, 4, 5]))
    assert eagre.cartesian_prod(a, b).tolist() == [list(row) for row in rows]
    assert eagre.combinations(b).tolist() == [[3, 4], [3, 5], [4, 5]]
    assert eagre.combinations(a, 2, True).tolist() == [[1, 1], [1, 2], [2, 2]]


@pytest.mark.parametrize("name", ["hstack", "vstack", "dstack", "column_stack"])
@pytest.mark.parametrize("shape", [(3,), (3, 2), (2, 3, 2)])
def test_stacks(name, shape):
    a, b = leaf(*shape), leaf(*shape)
    expected = getattr(np, name)([a.detach().numpy(), b.detach().numpy()])
    check(getattr(eagre, name)((a, b)), expected)


@pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d"])
@pytest.mark.parametrize("shape", [(), (2,), (2, 3), (2, 3, 4)])
def test_atleast(name, shape):
    a = leaf(*shape)
    check(getattr(eagre, name)(a), getattr(np, name)(a.detach().numpy()))


@pytest.mark.parametrize("offset", [-2, -1, 0, 1])
def test_diagonals(offset):
    vector, matrix = leaf(3), leaf(3, 4)
    check(eagre.diag(vector, offset), np.diag(vector.detach().numpy(), offset))
    check(eagre.diag(matrix, offset), np.diag(matrix.detach().numpy(), offset))
    check(matrix.diagflat(offset), np.diagflat(matrix.detach().numpy(), offset))
    assert eagre.tril_indices(3, 4, offset).tolist() == [
        list(x) for x in np.tril_indices(3, offset, 4)
    ]
    assert eagre.triu_indices(3, 4, offset).tolist() == [
        list(x) for x in np.triu_indices(3, offset, 4)
    ]
    vector.diag(offset).sum().backward()
    assert vector.grad.tolist() == [1.0, 1.0, 1.0]


def test_parts():
    a = leaf(5, 3)
    for sections in (2, 3, (1, 3), [2]):
        parts = eagre.tensor_split(a, sections)
        for part, array in zip(parts, np.array_split(a.detach().numpy(), sections), strict=True):
            check(part, array)
    check(eagre.block_diag(eagre.ones(1, 2), eagre.ones(2, 1)), [[1, 1, 0], [0, 0, 1], [0, 0, 1]])
    x = eagre.tensor([[1, 2], [3, 4]])
    assert x.repeat_interleave(2).tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    assert x.repeat_interleave(eagre.tensor([2, 0]), 0).tolist() == [[1, 2], [1, 2]]
    assert eagre.repeat_interleave(eagre.tensor([1, 0, 2])).tolist() == [0, 2, 2]
    assert x.trace().item() == 5 and x.fliplr().tolist() == [[2, 1], [4, 3]]


# --- comparisons ---


def test_closeness():
    a = eagre.tensor([1.0, float("inf"), float("nan")])
    assert eagre.isclose(a, a).tolist() == [True, True, False]
    assert eagre.allclose(a, a, equal_nan=True) and not a.allclose(a)
    assert not eagre.allclose(a, -a, equal_nan=True)
    with pytest.raises(RuntimeError, match="dtype"):
        eagre.isclose(a, a.double())
    assert eagre.equal(eagre.ones(2), eagre.ones(2)) and not eagre.equal(
        eagre.ones(2), eagre.ones(3)
    )


def test_membership_and_limits():
    x = eagre.tensor([1, 2, 3])
    assert eagre.isin(x, eagre.tensor([2, 9])).tolist() == [False, True, False]
    assert 2 in x and 5 not in x and eagre.tensor(3) in x
    assert 2 in eagre.tensor([[1, 2], [3, 4]])
    with pytest.raises(RuntimeError, match="str"):
        "a" in x  # noqa: B015
    assert complex(eagre.tensor(1 + 2j)) == 1 + 2j and complex(eagre.tensor([2])) == 2
    assert [row.item() for row in reversed(x)] == [3, 2, 1]
    assert +x is x
    with pytest.raises(TypeError, match="bool"):
        +eagre.tensor([True])  # noqa: B018
    y = eagre.tensor([1.0, float("nan"), float("inf"), -float("inf")])
    top = eagre.finfo(eagre.float32).max
    assert y.nan_to_num().tolist() == [1.0, 0.0, top, -top]
    assert eagre.count_nonzero(eagre.tensor([[1, 0], [2, 3]]), 0).tolist() == [2, 1]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nextafter(dtype):
    values = [0.0, -0.0, 1.0, -1.0, 1e-45, 3.5, float("nan"), 2.0]
    targets = [1.0, -1.0, 2.0, 0.0, -1.0, 3.5, 1.0, float("inf")]
    a, b = np.asarray(values, dtype), np.asarray(targets, dtype)
    found = eagre.nextafter(eagre.tensor(a), eagre.tensor(b)).numpy()
    np.testing.assert_array_equal(found, np.nextafter(a, b))


# --- counting ---


@pytest.mark.parametrize("dim", [None, 0, 1])
def test_unique(dim):
    x = RANDOM.integers(0, 3, (6, 2))
    values, inverse, counts = eagre.unique(
        eagre.tensor(x), return_inverse=True, return_counts=True, dim=dim
    )
    expected = np.unique(x, return_inverse=True, return_counts=True, axis=dim)
    assert values.tolist() == expected[0].tolist()
    assert inverse.flatten().tolist() == expected[1].flatten().tolist()
    assert counts.tolist() == expected[2].tolist()


def test_counts():
    x = eagre.tensor([1, 1, 2, 1])
    assert [r.tolist() for r in x.unique_consecutive(True, True)] == [
        [1, 2, 1],
        [0, 0, 1, 2],
        [2, 1, 1],
    ]
    assert x.bincount().tolist() == [0, 3, 1]
    assert x.bincount(eagre.tensor([0.5, 1.0, 2.0, 3.0]), 4).tolist() == [0.0, 4.5, 2.0, 0.0]
    edges = eagre.tensor([1.0, 3.0, 5.0])
    for right in (False, True):
        side = "right" if right else "left"
        values = np.asarray([0.0, 1.0, 4.0, 5.0, 6.0])
        found = eagre.bucketize(eagre.tensor(values), edges.double(), right=right)
        assert found.tolist() == np.searchsorted(edges.numpy(), values, side).tolist()


def test_multinomial():
    eagre.manual_seed(0)
    weights = eagre.tensor([0.0, 1.0, 3.0])
    drawn = eagre.multinomial(weights, 10000, replacement=True)
    shares = drawn.bincount(minlength=3) / 10000
    assert shares[0] == 0 and abs(shares[1].item() - 0.25) < 0.02
    for _ in range(20):
        assert sorted(weights.multinomial(2).tolist()) == [1, 2]
    assert eagre.multinomial(eagre.ones(4, 3), 2).shape == (4, 2)
    one = eagre.stack([weights.multinomial(1) for _ in range(2000)])
    assert abs((one == 1).double().mean().item() - 0.25) < 0.04
    for bad, count in [
        ([-1.0, 2.0], 1),
        ([float("nan")], 1),
        ([0.0, 0.0], 1),
        ([1.0], 2),
        ([1.0], 0),
    ]:
        with pytest.raises(RuntimeError, match="multinomial"):
            eagre.multinomial(eagre.tensor(bad), count)


def test_trees():
    from eagre.utils import _pytree as pytree

    tree = {"a": [1, (2, 3)], "b": 4}
    leaves, spec = pytree.tree_flatten(tree)
    assert leaves == [1, 2, 3, 4] and spec.num_leaves == 4
    assert pytree.tree_unflatten(leaves, spec) == tree
    assert pytree.tree_map(lambda x, y: x + y, tree, tree) == {"a": [2, (4, 6)], "b": 8}
    assert pytree.tree_structure(tree) == spec != pytree.tree_structure([1])
    with pytest.raises(ValueError, match="length 1"):
        pytree.tree_unflatten([1], spec)


def test_equal_elements_share_the_gradient_of_a_median():
    for name in ("median", "nanmedian"):
        x = eagre.tensor([[2.0, 1.0, 2.0], [5.0, 2.0, 0.0]], requires_grad=True)
        getattr(x, name)().backward()
        assert x.grad.mul(3).tolist() == [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    x = eagre.tensor([1.0, float("nan"), float("nan")], requires_grad=True)
    x.median().backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.5]


def test_logcumsumexp_has_an_exact_gradient_next_to_large_numbers():
    x = eagre.tensor([1e4, 1.0, 2.0], requires_grad=True)
    eagre.logcumsumexp(x, 0).backward(eagre.tensor([0.5, -1.25, 3.0]))
    assert x.grad.tolist() == [2.25, 0.0, 0.0]


def test_unique_rows_are_found_by_one_sort():
    x = np.random.default_rng(0).integers(0, 2, (3000, 12))
    rows, inverse = eagre.unique(eagre.tensor(x), return_inverse=True, dim=0)
    assert rows.tolist() == np.unique(x, axis=0).tolist()
    assert (rows[inverse] == eagre.tensor(x)).all()


def test_out_of_several_results():
    x = eagre.tensor([[3.0, 1.0, 2.0]])
    out = eagre.empty(0), eagre.empty(0, dtype=eagre.int64)
    result = eagre.kthvalue(x, 2, out=out)
    assert result.values is out[0] and result.indices is out[1]
    assert result.values.tolist() == [2] and result.indices.tolist() == [2]
    with pytest.raises(TypeError, match="a tuple of 2 Tensors, but got 1"):
        eagre.aminmax(x, out=(eagre.empty(0),))


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
