"""einsum: equations of many forms against np.einsum, their gradients, lists of labels."""

import numpy as np
import pytest
from against_numpy import RANDOM, check, leaf

import eagre

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
    ("equation", "operands", "wanted"),
    [
        ("ij->i", [eagre.tensor([[True, True]])], eagre.tensor([2])),
        ("ij->i", [eagre.tensor([[200, 200]], dtype=eagre.uint8)], eagre.tensor([400])),
        ("ij->", [eagre.tensor([[2**31 - 1, 1]], dtype=eagre.int32)], eagre.tensor(2**31)),
        ("i->", [eagre.tensor([7], dtype=eagre.int8)], eagre.tensor(7)),
        ("i,i->", [eagre.tensor([2.0]), eagre.ones(3, dtype=eagre.bool)], eagre.tensor(6.0)),
        (
            "i,j->j",
            [eagre.ones(2, dtype=eagre.bool), eagre.tensor([1.0, 2.0])],
            eagre.tensor([2.0, 4.0]),
        ),
        # A sum of 300 meets bytes.
        (
            "ij,j->",
            [eagre.full((3, 2), 100, dtype=eagre.uint8), eagre.tensor([1, 2], dtype=eagre.uint8)],
            eagre.tensor(900),
        ),
    ],
)
def test_sums_of_narrow_integers_are_wide(equation, operands, wanted):
    """As in PyTorch."""
    found = eagre.einsum(equation, *operands)
    assert found.dtype == wanted.dtype and eagre.equal(found, wanted)


def test_one_element_is_no_sum():
    """As in PyTorch: what is broadcast, or all there is, is multiplied in its own dtype."""
    one, bools = eagre.ones(1, 1, dtype=eagre.uint8), eagre.ones(2, 1, dtype=eagre.bool)
    assert eagre.einsum("ij,kj->ik", one, bools).dtype == eagre.uint8
    assert eagre.einsum("ij,kj->ik", one, eagre.ones(2, 1)).dtype == eagre.float32
