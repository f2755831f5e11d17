"""Paddle's names for functions with a gradient of their own: PyLayer is its Function."""

import functools

from eagre.autograd.function import BackwardCFunction, Function, FunctionMeta

__all__ = ["PyLayer", "PyLayerContext"]


class PyLayerContext(BackwardCFunction):
    """The context as Paddle has it; everything of FunctionCtx works too."""

    def saved_tensor(self):
        """What save_for_backward() was given; a method here, where PyTorch has an attribute."""
        return self.saved_tensors

    def mark_not_inplace(self, *tensors):
        """Does nothing: an argument that comes back unmarked is a new tensor anyway."""


def _for_all_arguments(backward):
    """In Paddle, backward returns gradients of the tensors among the arguments; one for every
    argument, as Function wants them, is fine too."""

    @functools.wraps(backward)
    def spread(ctx, *gradients):
        results = backward(ctx, *gradients)
        results = results if isinstance(results, tuple) else (results,)
        is_tensor = ctx._argument_is_tensor
        if len(results) == len(is_tensor):
            return results
        if len(results) != sum(is_tensor):
            raise RuntimeError(
                f"function {type(ctx).__name__} returned an incorrect number of gradients "
                f"(expected {sum(is_tensor)}, got {len(results)}): one for every tensor among the "
                "arguments of forward"
            )
        left = iter(results)
        return tuple(next(left) if given else None for given in is_tensor)

    return spread


class _PyLayerMeta(FunctionMeta):
    def __init__(cls, name, bases, namespace):  # noqa: N805  a metaclass
        if "backward" in namespace and bases != (Function,):
            cls.backward = staticmethod(_for_all_arguments(cls.backward))
        super().__init__(name, bases, namespace)


class PyLayer(Function, metaclass=_PyLayerMeta):
    """A function with a gradient of its own, as Paddle writes it.

    As Function, but backward(ctx, *gradients) returns a gradient for every tensor among the
    arguments of forward, and none for other arguments.
    """

    _context_cls = PyLayerContext
