"""Attention: tiles against formulas, memory, and dropout."""

import numpy as np
import pytest
from samples import make

import eagre
import eagre.nn.functional as F

attention = F.scaled_dot_product_attention


def qkv(*shapes):
    return [
        eagre.tensor(make(shape, np.float64, i)).requires_grad_() for i, shape in enumerate(shapes)
    ]


@pytest.mark.parametrize(
    "kwargs",
    [{}, {"is_causal": True}, {"scale": 0.7}, {"attn_mask": eagre.tensor(make((70, 200)) > 0)}],
    ids=["plain", "causal", "scale", "mask"],
)
@pytest.mark.parametrize("shared", [False, True])
def test_gradients_in_tiles_are_those_of_the_formulas(kwargs, shared):
    heads = 1 if shared else 2
    tensors = qkv((2, 2, 70, 9), (2, heads, 200, 9), (2, heads, 200, 33))
    g = eagre.tensor(make((2, 2, 70, 33)))

    def gradients(create_graph):
        y = attention(*tensors, enable_gqa=shared, **kwargs)
        return eagre.autograd.grad(y, tensors, g, create_graph=create_graph)

    for tiles, formula in zip(gradients(False), gradients(True), strict=True):
        np.testing.assert_allclose(tiles.numpy(), formula.detach().numpy(), atol=1e-10)


def test_a_mask_with_a_gradient_gets_one():
    q, k, v = qkv((3, 4, 2), (3, 5, 2), (3, 5, 2))
    mask = eagre.zeros(4, 5, dtype=eagre.float64, requires_grad=True)
    attention(q, k, v, mask).sum().backward()
    assert mask.grad.shape == (4, 5) and bool((mask.grad != 0).any())


def test_queries_that_see_nothing_have_no_gradient():
    q, k, v = qkv((4, 3), (5, 3), (5, 2))
    mask = eagre.ones(4, 5, dtype=eagre.bool)
    mask[2] = False
    y = attention(q, k, v, mask)
    y.sum().backward()
    assert y[2].tolist() == [0, 0]
    assert q.grad[2].tolist() == [0, 0, 0]
    assert not bool(k.grad.isnan().any())


def test_memory_does_not_hold_all_scores():
    q, k, v = [eagre.randn(1, 1, 3000, 8).requires_grad_() for _ in range(3)]
    attention(q, k, v).sum().backward()  # working space is kept, so it is not counted below
    eagre.cpu.reset_peak_memory_stats()
    before = eagre.cpu.memory_allocated()
    attention(q, k, v).sum().backward()
    assert eagre.cpu.max_memory_allocated() - before < 3000 * 3000 * 4 / 8


def test_dropout_keeps_the_mean():
    eagre.manual_seed(3)
    q, k, v = eagre.zeros(1, 2), eagre.zeros(2000, 2), eagre.ones(2000, 1)
    once = attention(q, k, v, dropout_p=0.5)
    # 2000 weights of 1/2000, each kept or not, divided by the probability.
    assert 0.9 < once.item() < 1.1 and once.item() != 1


def test_same_bits_with_any_number_of_threads():
    tensors = [eagre.randn(2, 3, 500, 16).requires_grad_() for _ in range(3)]
    before = eagre.get_num_threads()
    try:
        results = []
        for threads in (1, 2):
            eagre.set_num_threads(threads)
            y = attention(*tensors, is_causal=True)
            results.append([y.detach(), *eagre.autograd.grad(y, tensors, y.detach())])
    finally:
        eagre.set_num_threads(before)
    for a, b in zip(*results, strict=True):
        assert eagre.equal(a, b)


def test_heads_without_depth_weigh_all_values_alike():
    query, value = eagre.randn(2, 3, 0), eagre.arange(12.0).reshape(2, 3, 2)
    result = eagre.nn.functional.scaled_dot_product_attention(query, query, value)
    assert eagre.allclose(result, value.mean(1, keepdim=True).expand(2, 3, 2))
