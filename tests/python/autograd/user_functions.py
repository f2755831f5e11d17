"""Functions of users for tests: Exp, Cube, and a short way to define others."""

import eagre
from eagre.autograd import Function


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def defined(forward, backward=None, **others):
    """A Function made of lambdas."""
    methods = {"forward": forward, **others}
    if backward is not None:
        methods["backward"] = backward
    return type("Made", (Function,), {name: staticmethod(m) for name, m in methods.items()})


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result


class Cube(Function):
    """In two halves, with all that transforms need."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * 3 * x**2
