"""The recorded graph: nodes, edges, and hooks on several gradients."""

import threading
from collections.abc import Iterable
from typing import NamedTuple

from eagre._C import (
    Node,
    Tensor,
    _gradient_edge,
    _hook_call_id,
    _hook_call_reaches,
    _increment_version,
)

__all__ = [
    "GradientEdge",
    "Node",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
]


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor flows: usable in backward() and grad() in its place."""

    node: Node
    output_nr: int
    ownership_token: object = None


def get_gradient_edge(tensor):
    """The edge of a tensor that requires grad; it keeps the graph alive, not the tensor."""
    return GradientEdge(*_gradient_edge(tensor))


def increment_version(tensor):
    """Tells autograd that the memory of a tensor, or of several, was written behind its back."""
    several = isinstance(tensor, Iterable) and not isinstance(tensor, Tensor)
    for one in tensor if several else (tensor,):
        _increment_version(one)


class _Handles:
    """Takes the hooks on all tensors away; removing twice is no error."""

    def __init__(self, handles):
        self._handles = tuple(handles)

    def remove(self):
        for handle in self._handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Calls `fn` once per backward call.

    mode="all": fn(grads) when all gradients that this call computes are there, None for the
    others. mode="any": fn(grad) with the first one.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"expects mode to be one of ('all', 'any') but got {mode!r}")
    tensors = tuple(tensors)
    nodes = [_gradient_edge(tensor)[0] for tensor in tensors]
    hook = _hook_on_any(fn) if mode == "any" else _hook_on_all(fn, nodes)
    return _Handles(tensor.register_hook(hook(i)) for i, tensor in enumerate(tensors))


def _hook_on_all(fn, nodes):
    lock = threading.Lock()
    waiting = {}  # call -> [how many are still to come, gradients]

    def at(index):
        def multi_grad_hook(gradient):
            call = _hook_call_id()
            with lock:
                if call not in waiting:
                    waiting[call] = [sum(map(_hook_call_reaches, nodes)), [None] * len(nodes)]
                state = waiting[call]
                state[0] -= 1
                state[1][index] = gradient
                is_last = state[0] == 0
                if is_last:
                    del waiting[call]
            if is_last:
                fn(state[1])

        return multi_grad_hook

    return at


def _hook_on_any(fn):
    lock = threading.Lock()
    seen = []  # the latest calls

    def at(index):
        def multi_grad_hook(gradient):
            call = _hook_call_id()
            with lock:
                is_first = call not in seen
                if is_first:
                    seen.append(call)
                    del seen[:-64]  # as many calls as may run at the same time
            if is_first:
                fn(gradient)

        return multi_grad_hook

    return at
