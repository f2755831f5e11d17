"""Cycles through the context of a custom function are garbage once only they are left."""

import gc
import weakref

import eagre


class Token:
    pass


class KeepsOutput(eagre.autograd.Function):
    @staticmethod
    def forward(ctx, x, token):
        ctx.token = token
        ctx.output = y = x * 2
        return y

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2, None


def ends(make):
    gc.collect()
    reference = make()
    gc.collect()
    eagre.ones(1)
    gc.collect()
    return reference() is None


# Row: PyTorch K19, PyTorch P3
def test_a_context_that_keeps_its_output():
    def make():
        token = Token()
        KeepsOutput.apply(eagre.ones(2, requires_grad=True), token)
        return weakref.ref(token)

    def later():
        token = Token()
        y = KeepsOutput.apply(eagre.ones(2, requires_grad=True), None)
        y.grad_fn.late = (y, token)
        return weakref.ref(token)

    assert ends(make) and ends(later)


# Row: PyTorch K19, PyTorch P3
def test_what_a_graph_needs_is_no_garbage():
    x, token = eagre.ones(2, requires_grad=True), Token()
    z = KeepsOutput.apply(x, token).sum()
    reference = weakref.ref(token)
    del token
    gc.collect()
    assert reference() is not None
    z.backward()
    assert x.grad.tolist() == [2, 2]
