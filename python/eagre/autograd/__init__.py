"""Gradients of several tensors at once."""

from __future__ import annotations

import importlib as _importlib

from eagre._C import (
    Node,
    SavedTensor,  # noqa: F401
    _add_backward_final_hook,
    _backward,
    _grad,
    _handle_torch_function,
    _has_torch_function,
)
from eagre._C import _is_multithreading_enabled as is_multithreading_enabled
from eagre.autograd import forward_ad, function, graph
from eagre.autograd._batched_grad import batched_grad
from eagre.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from eagre.autograd.function import Function, NestedIOFunction
from eagre.autograd.grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from eagre.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from eagre.autograd.graph import _unsafe_preserve_version_counter  # noqa: F401
from eagre.autograd.variable import Variable

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Function",
    "GradcheckError",
    "NestedIOFunction",
    "Node",
    "PyLayer",
    "PyLayerContext",
    "Variable",
    "add_backward_final_hook",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_multithreading_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


def _listed(tensors):
    return tensors if isinstance(tensors, (tuple, list)) else (tensors,)


def _are_overridden(tensors):
    return _has_torch_function(_listed(tensors))


def _override(function, *args, **kwargs):
    relevant = [tensor for argument in args for tensor in _listed(argument)]
    return _handle_torch_function(function, relevant, args, kwargs)


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None
) -> None:
    """Adds the gradients of `tensors` to .grad of the leaves they were made from.

    With `inputs` (a tensor, a GradientEdge, a list or a dict of them) only these get gradients,
    also those that are no leaves; they keep theirs from then on, as after retain_grad().
    """
    if _are_overridden(tensors):
        return _override(
            backward,
            tensors,
            grad_tensors=grad_tensors,
            retain_graph=retain_graph,
            create_graph=create_graph,
            inputs=inputs,
        )
    return _backward(tensors, grad_tensors, retain_graph, create_graph, inputs)


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
    no_grad_vars=None,
) -> Any:
    """The gradients of `outputs` with respect to `inputs`, as a tuple, or as a dict like `inputs`.

    .grad is not touched. With `is_grads_batched` the first dimension of every tensor in
    `grad_outputs` counts gradients, and so does that of the results. `no_grad_vars` (Paddle's) are
    tensors through which no gradient flows.
    """
    if _are_overridden(outputs) or _are_overridden(inputs):
        return _override(
            grad,
            outputs,
            inputs,
            grad_outputs=grad_outputs,
            retain_graph=retain_graph,
            create_graph=create_graph,
            only_inputs=only_inputs,
            allow_unused=allow_unused,
            is_grads_batched=is_grads_batched,
            materialize_grads=materialize_grads,
            no_grad_vars=no_grad_vars,
        )
    if not only_inputs:
        raise NotImplementedError("grad(): only_inputs=False is not supported. Hint: backward()")
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "grad(): expected allow_unused to be True or not passed when materialize_grads=True, "
            "but got allow_unused=False"
        )
    results = (batched_grad if is_grads_batched else _grad)(
        outputs,
        inputs,
        grad_outputs,
        retain_graph,
        create_graph,
        allow_unused,
        materialize_grads,
        no_grad_vars,
    )
    return dict(zip(inputs, results, strict=True)) if type(inputs) is dict else results


def add_backward_final_hook(hook) -> None:
    """Calls `hook()` once, at the end of the call that runs now, else of this thread's next one.

    It is dropped when that call fails.
    """
    _add_backward_final_hook(hook)


# Imported when first used.
_LAZY_MODULES = ("functional", "profiler")
_LAZY_NAMES = {"PyLayer": "_py_layer", "PyLayerContext": "_py_layer"}


def __getattr__(name):
    if name == "torch":  # programs find the whole package here
        return _importlib.import_module("eagre")
    if name in _LAZY_MODULES:
        return _importlib.import_module(f"eagre.autograd.{name}")
    if name in _LAZY_NAMES:
        return getattr(_importlib.import_module(f"eagre.autograd.{_LAZY_NAMES[name]}"), name)
    raise AttributeError(f"module 'eagre.autograd' has no attribute '{name}'")


def __dir__():
    return sorted({*__all__, *_LAZY_MODULES, *_LAZY_NAMES})
