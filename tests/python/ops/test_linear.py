"""linear with a bias: one kernel and one node, equal to the product and the sum it stands for."""

import numpy as np
import pytest
from child import run
from plugins import FAKE_BLAS

import eagre


def _three(shape, features, outputs, dtype=eagre.float64):
    eagre.manual_seed(3)
    input = eagre.randn(*shape, features, dtype=dtype)
    return input, eagre.randn(outputs, features, dtype=dtype), eagre.randn(outputs, dtype=dtype)


def _assert_close(ours, expected, rtol=1e-10):
    np.testing.assert_allclose(ours.detach().numpy(), expected.detach().numpy(), rtol, 1e-6 * rtol)


@pytest.mark.parametrize("shape", [(), (1,), (7,), (32,), (2, 3), (2, 0), (2, 1, 3, 2)])
@pytest.mark.parametrize("features, outputs", [(1, 1), (3, 4), (64, 10), (300, 70), (0, 3), (3, 0)])
def test_values_and_gradients_are_those_of_the_parts(shape, features, outputs):
    both = []
    for apply in (eagre.linear, lambda x, w, b: x @ w.t() + b):
        leaves = [t.requires_grad_() for t in _three(shape, features, outputs)]
        out = apply(*leaves)
        eagre.manual_seed(4)
        out.backward(eagre.randn(*out.shape, dtype=eagre.float64))
        both.append([out, *(leaf.grad for leaf in leaves)])
    for ours, expected in zip(*both, strict=True):
        assert ours.shape == expected.shape
        _assert_close(ours, expected)


def test_strides_do_not_matter():
    x, w, b = _three((5,), 6, 4, eagre.float32)
    expected = eagre.linear(x, w, b)
    turned = eagre.linear(x.t().clone().t(), w.t().clone().t(), eagre.stack([b, b], 1)[:, 0])
    _assert_close(turned, expected, 1e-5)
    shared = eagre.linear(x[0].expand(3, 2, 6), w[0].expand(4, 6), b[0].expand(4))
    _assert_close(shared, (x[0] @ w[0] + b[0]).expand(3, 2, 4), 1e-5)


def test_one_node_is_recorded_and_second_order_goes_through_it():
    x, w, b = (t.requires_grad_() for t in _three((5,), 6, 4))
    out = eagre.linear(x, w, b)
    assert all(node.name() == "AccumulateGrad" for node, _ in out.grad_fn.next_functions)
    (gx,) = eagre.autograd.grad((out * out).sum(), x, create_graph=True)
    gw, gb = eagre.autograd.grad((gx * gx).sum(), (w, b))
    x2, w2, b2 = (t.detach().requires_grad_() for t in (x, w, b))
    out = x2 @ w2.t() + b2
    (gx,) = eagre.autograd.grad((out * out).sum(), x2, create_graph=True)
    expected = eagre.autograd.grad((gx * gx).sum(), (w2, b2))
    _assert_close(gw, expected[0])
    _assert_close(gb, expected[1])


def test_a_blas_adds_to_the_bias():
    program = """
import eagre
x = eagre.arange(128 * 128).remainder(7).float().reshape(128, 128)
b = eagre.arange(128).float()
expected = (x.long() @ x.long().t()).float() + b
assert (eagre.linear(x, x, b) == expected).all()
assert "fake_blas" in open("/proc/self/maps").read()
print("done")
"""
    assert run(program, EAGRE_BLAS=str(FAKE_BLAS))[0] == "done"


def test_mixed_dtypes_are_refused():
    x, w, b = _three((2,), 3, 4)
    with pytest.raises(RuntimeError, match="float32"):
        eagre.linear(x, w.float(), b)
