"""The recorded graph: nodes, edges, hooks on several gradients, and the graph as text."""

from __future__ import annotations

import threading
from collections import namedtuple
from collections.abc import Iterable

from eagre._C import (
    Node,
    Tensor,
    _current_autograd_node,
    _current_graph_task_execution_order,
    _current_graph_task_id,
    _current_graph_task_reaches,
    _force_sequential,
    _gradient_edge,
    _graph_to_dot,
    _graph_to_json,
    _increment_version,
    _queue_callback,
    _set_version,
)
from eagre.autograd._mutation import allow_mutation_on_saved_tensors
from eagre.autograd._saved_hooks import (
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "current_autograd_node",
    "current_graph_task_execution_order",
    "current_graph_task_id",
    "disable_saved_tensors_hooks",
    "force_sequential",
    "get_gradient_edge",
    "increment_version",
    "queue_callback",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "to_dot",
    "to_json",
]

_MOST_CALLS = 64  # backward calls that a hook on several gradients sees at the same time


# Not typing.NamedTuple: that module takes longer to import than all of ours.
class GradientEdge(namedtuple("GradientEdge", "node output_nr ownership_token", defaults=(None,))):
    """Where the gradient of a tensor flows: usable in backward() and grad() in its place."""

    __slots__ = ()


def get_gradient_edge(tensor) -> GradientEdge:
    """The edge of a tensor that requires grad; it keeps the graph alive, not the tensor."""
    return GradientEdge(*_gradient_edge(tensor))


def current_graph_task_id() -> int:
    """A number that no other backward call has; -1 outside of one."""
    return _current_graph_task_id()


def current_autograd_node():
    """The node that runs in this thread, or None."""
    return _current_autograd_node()


def current_graph_task_execution_order():
    """The nodes of the backward call in the order in which they run; an error outside of one."""
    return _current_graph_task_execution_order()


def queue_callback(callback) -> None:
    """Calls `callback()` at the end of the backward call that runs now; an error outside of one."""
    _queue_callback(callback)


def increment_version(tensor) -> None:
    """Tells autograd that the memory of a tensor, or of several, was written behind its back."""
    several = isinstance(tensor, Iterable) and not isinstance(tensor, Tensor)
    for one in tensor if several else (tensor,):
        _increment_version(one)


def force_sequential(node) -> None:
    """From now on, `node` runs after the nodes that are registered later, in every backward call.

    Where the graph demands the opposite, the graph wins.
    """
    _force_sequential(node)


class _unsafe_preserve_version_counter:  # noqa: N801  PyTorch's name
    """Hides from autograd that a tensor, or one of a tuple, is written in this scope."""

    def __init__(self, tensors):
        self._tensors = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
        self._versions = [tensor._version for tensor in self._tensors]

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        for tensor, version in zip(self._tensors, self._versions, strict=True):
            _set_version(tensor, version)


def to_dot(tensor) -> str:
    """The graph of `tensor` for Graphviz: nodes with shapes and source lines."""
    return _graph_to_dot(tensor)


def to_json(tensor) -> str:
    """The same as JSON: "root" and "nodes", each with name, site, outputs and next."""
    return _graph_to_json(tensor)


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


def register_multi_grad_hook(tensors, fn, *, mode="all") -> Any:
    """Calls `fn` once per backward call.

    mode="all": fn(grads) when all gradients that this call computes are there, None for the
    others. mode="any": fn(grad) with the first one.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    tensors = tuple(tensors)
    nodes = [_gradient_edge(tensor)[0] for tensor in tensors]
    hook = _hook_on_any(fn) if mode == "any" else _hook_on_all(fn, nodes)
    return _Handles(tensor.register_hook(hook(i)) for i, tensor in enumerate(tensors))


def _hook_on_all(fn, nodes):
    lock = threading.Lock()
    waiting = {}  # call -> [how many are still to come, gradients]

    def at(index):
        def multi_grad_hook(gradient):
            call = _current_graph_task_id()
            with lock:
                if call not in waiting:
                    if len(waiting) == _MOST_CALLS:  # the oldest has failed
                        del waiting[next(iter(waiting))]
                    expected = sum(map(_current_graph_task_reaches, nodes))
                    waiting[call] = [expected, [None] * len(nodes)]
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
            call = _current_graph_task_id()
            with lock:
                is_first = call not in seen
                if is_first:
                    seen.append(call)
                    del seen[:-_MOST_CALLS]
            if is_first:
                fn(gradient)

        return multi_grad_hook

    return at


def __dir__():
    return __all__
