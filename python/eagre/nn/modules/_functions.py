"""Functions with gradients of their own that modules need."""

from eagre.autograd.function import Function

__all__ = ["BackwardHookFunction"]


class BackwardHookFunction(Function):
    """Hands tensors and gradients on: hooks on its node see the gradients of a module."""

    @staticmethod
    def forward(ctx, *tensors):
        ctx.mark_non_differentiable(*(one for one in tensors if not one.requires_grad))
        return tensors

    @staticmethod
    def backward(ctx, *gradients):
        return gradients
