"""Gradients of several tensors at once."""

from eagre._C import Node, _backward, _grad
from eagre.autograd import graph
from eagre.autograd.engine import (
    Variable,
    detect_anomaly,
    set_detect_anomaly,
    set_multithreading_enabled,
)
from eagre.grad_mode import enable_grad, no_grad, set_grad_enabled

__all__ = [
    "Node",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "graph",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
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
