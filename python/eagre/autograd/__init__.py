"""Gradients of several tensors at once."""

from eagre._C import Node, _backward, _grad
from eagre.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = [
    "Node",
    "backward",
    "enable_grad",
    "grad",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
]


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False):
    """Adds the gradients of `tensors` to .grad of the leaves they were made from."""
    _backward(tensors, grad_tensors, retain_graph, create_graph)


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    allow_unused=None,
):
    """The gradients of `outputs` with respect to `inputs`, as a tuple; .grad is not touched."""
    return _grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)
