"""autograd.Function in forward mode and vmap."""

import pytest
from user_functions import Cube, Exp, defined

import eagre
from eagre.autograd import Function


# Row: PyTorch K14
def test_forward_mode():
    x = eagre.tensor([1.0, 2.0])
    value, tangent = eagre.func.jvp(Cube.apply, (x,), (eagre.tensor([1.0, 0.5]),))
    assert value.tolist() == [1.0, 8.0] and tangent.tolist() == [3.0, 6.0]
    with pytest.raises(RuntimeError, match="must implement the jvp function"):
        eagre.func.jvp(Exp.apply, (x,), (x,))


# Row: PyTorch K14
def test_jvp_gets_none_for_what_is_no_tensor():
    seen = []

    def jvp(ctx, *tangents):
        seen.append(tangents)
        return tangents[1] * 2

    made = defined(lambda ctx, n, x, y: x * n, lambda ctx, g: (None, g, None), jvp=jvp)
    x = eagre.ones(1)
    eagre.func.jvp(lambda x: made.apply(2, x, eagre.ones(1)), (x,), (x,))
    ((number, of_x, of_y),) = seen
    assert number is None and of_x.tolist() == [1.0] and of_y.tolist() == [0.0]


# Row: PyTorch K14
def test_jvp_must_do_as_forward():
    x = eagre.ones(2)

    def tangent_of(made):
        eagre.func.jvp(lambda x: made.apply(x * 1), (x,), (x,))

    view = defined(lambda ctx, x: x.view(2, 1), jvp=lambda ctx, t: t.reshape(2, 1).clone())
    with pytest.raises(RuntimeError, match="jvp is not returning a view"):
        tangent_of(view)

    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    with pytest.raises(RuntimeError, match="not modifying the forward mode gradients inplace"):
        tangent_of(defined(forward, jvp=lambda ctx, t: t * 2))
    with pytest.raises(RuntimeError, match="incorrect number of tangents"):
        tangent_of(defined(lambda ctx, x: x * 2, jvp=lambda ctx, t: (t, t)))


# Row: PyTorch K15
def test_generated_vmap_rule():
    x = eagre.tensor([1.0, 2.0, 3.0])
    assert eagre.vmap(Cube.apply)(x).tolist() == [1.0, 8.0, 27.0]
    assert eagre.vmap(eagre.func.grad(Cube.apply))(x).tolist() == [3.0, 12.0, 27.0]
    own = x.clone().requires_grad_()
    eagre.vmap(Cube.apply)(own).sum().backward()
    assert own.grad.tolist() == [3.0, 12.0, 27.0]
    assert eagre.func.jacfwd(eagre.func.jacrev(Cube.apply))(x).sum().item() == 36.0


# Row: PyTorch K15
def test_own_vmap_rule():
    seen = []

    class Dot(Function):
        @staticmethod
        def forward(x, factor, y):
            return (x * y).sum() * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.factor, y = inputs
            ctx.save_for_backward(x, y)

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y * ctx.factor, None, g * x * ctx.factor

        @staticmethod
        def vmap(info, in_dims, x, factor, y):
            seen.append((info.batch_size, info.randomness, in_dims))
            x = x.movedim(in_dims[0], 0)
            return Dot.apply(x, factor, y) * eagre.ones(info.batch_size), 0

    x, y = eagre.ones(2, 3), eagre.tensor([1.0, 2.0])
    result = eagre.vmap(lambda x: Dot.apply(x, 2.0, y), in_dims=1)(eagre.ones(2, 3).mul(2))
    assert result.shape == (3,)
    assert seen == [(3, "error", (1, None, None))]
    assert x.shape == (2, 3)


# Row: PyTorch K15
def test_vmap_errors():
    x = eagre.ones(3)
    with pytest.raises(RuntimeError, match="does not have vmap support"):
        eagre.vmap(Exp.apply)(x)

    class Both(Cube):
        @staticmethod
        def vmap(info, in_dims, x):
            return x, 0

    with pytest.raises(RuntimeError, match="both generate_vmap_rule=True and an overridden vmap"):
        eagre.vmap(Both.apply)(x)
    with pytest.raises(RuntimeError, match="must override the setup_context"):
        eagre.vmap(defined(lambda ctx, x: x, vmap=lambda i, d, x: (x, 0)).apply)(x)

    class Bad(Both):
        generate_vmap_rule = False

        @staticmethod
        def vmap(info, in_dims, x):
            return x

    with pytest.raises(RuntimeError, match=r"must return a pair \(output, out_dims\)"):
        eagre.vmap(Bad.apply)(x)
