"""Gradients of views at the edges: without elements, overlapping, of another dtype, copied."""

import eagre


def test_a_view_without_elements_is_written():
    y = eagre.zeros(0, 3, requires_grad=True) * 1
    view = y[:, 1]
    view.mul_(2)
    assert (view + 1).shape == (0,)


def test_a_view_of_another_kind_of_number_needs_no_gradient():
    x = eagre.ones(2, dtype=eagre.float64, requires_grad=True)
    assert not x.view(eagre.int64).requires_grad


def test_gradients_of_views_of_nothing():
    x = eagre.tensor(3.0, requires_grad=True)
    x.unfold(0, 0, 1).sum().backward()
    assert x.grad.item() == 0
    x = eagre.zeros(1, 2, 2, dtype=eagre.complex64, requires_grad=True)
    eagre.view_as_real(x.expand(0, 2, 2)).sum().backward()
    assert x.grad.tolist() == [[[0, 0], [0, 0]]]


def test_gradient_of_overlapping_complex_memory():
    x = eagre.ones(4, dtype=eagre.complex128).requires_grad_()
    eagre.view_as_real(x.expand(2, 4).as_strided((2, 2), (1, 1))).sum().backward()
    assert x.grad.tolist() == [1 + 1j, 2 + 2j, 1 + 1j, 0]


def test_a_reshape_that_copies_without_a_graph_is_no_view():
    w = eagre.ones(6, requires_grad=True)
    with eagre.no_grad():
        y = eagre.ones(2, 3).t().reshape(-1)
    assert not y._is_view()
    y.mul_(w).sum().backward()
    assert w.grad.tolist() == [1] * 6
    with eagre.inference_mode():
        assert eagre.ones(2, 3).t().reshape(-1).is_inference()

    class Flat(eagre.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.t().reshape(-1)

        @staticmethod
        def backward(ctx, g):
            return g.reshape(3, 2).t()

    x = eagre.ones(2, 3, requires_grad=True)
    Flat.apply(x).mul_(2).sum().backward()
    assert x.grad.tolist() == [[2] * 3] * 2
