"""Checkpoints: functions whose saved tensors are not kept but computed again in backward.

That costs one more forward of the function, and saves the memory of what it would save.
"""

from __future__ import annotations

import contextlib
import functools
import warnings

from eagre import _C
from eagre.autograd import backward
from eagre.autograd.function import Function
from eagre.autograd.grad_mode import enable_grad, no_grad
from eagre.random import get_rng_state
from eagre.utils._recompute import CheckpointError, GraphExecGroup, Segment, random_scope

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "CheckpointPolicy",
    "DefaultDeviceType",
    "GraphExecGroup",
    "SelectiveCheckpointContext",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

_early_stop = None  # set_checkpoint_early_stop() overrules the argument
_debug = None  # and set_checkpoint_debug_enabled() that


def noop_context_fn():
    """Contexts that do nothing, for forward and for computing it again."""
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function=None,
    *args,
    use_reentrant=None,
    preserve_rng_state=True,
    context_fn=noop_context_fn,
    determinism_check="default",
    debug=False,
    early_stop=True,
    respect_saved_tensors_hooks=None,
    **kwargs,
) -> Any:
    """function(*args, **kwargs), whose saved tensors are computed again in backward.

    With use_reentrant=False, which is recommended, everything works: any structure of arguments and
    results, grad(), checkpoints in checkpoints, derivatives of any order. use_reentrant=True runs
    the function without recording, and a backward call inside of backward; one argument must be a
    tensor that requires grad, and grad() and backward(inputs=...) are errors.

    `preserve_rng_state`: random numbers are the same again. `context_fn` gives two contexts, for
    forward and for computing it again. `determinism_check="none"`: what is saved may look different
    then. `early_stop`: the function is left as soon as all that is needed is there. `debug`: errors
    show where tensors are saved. Without `function` it is a decorator.
    """
    options = {
        "use_reentrant": use_reentrant,
        "preserve_rng_state": preserve_rng_state,
        "context_fn": context_fn,
        "determinism_check": determinism_check,
        "debug": debug,
        "early_stop": early_stop,
    }
    if function is None:
        if args:
            raise TypeError("checkpoint(): argument 'function' must be callable, but got None")
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        return functools.partial(_decorated, options)
    if use_reentrant is None:
        _warn_about_default("checkpoint")
        use_reentrant = True
    if use_reentrant:
        return _reentrant(function, args, kwargs, preserve_rng_state, context_fn, debug)
    return _recomputed(function, args, kwargs, _Options(**options))


def _decorated(options, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return checkpoint(functools.partial(function, **kwargs), *args, **options)

    return call


def _warn_about_default(name):
    warnings.warn(
        f"eagre.utils.checkpoint.{name}: the use_reentrant parameter should be passed explicitly. "
        "use_reentrant=False is recommended; without it, use_reentrant=True counts, as in PyTorch.",
        stacklevel=3,
    )


# --- by hooks on saved tensors ---


class _Options:
    def __init__(
        self, use_reentrant, preserve_rng_state, context_fn, determinism_check, debug, early_stop
    ):
        if determinism_check not in ("default", "none"):
            raise ValueError(
                "determinism_check should be one of ['default', 'none'], "
                f"but got {determinism_check}"
            )
        self.debug = debug if _debug is None else _debug
        if self.debug and context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        self.preserve_rng_state = preserve_rng_state
        self.determinism_check = determinism_check
        self.early_stop = early_stop if _early_stop is None else _early_stop
        self.forward_context, again = context_fn()
        self.recompute_context = lambda: again


def _recomputed(function, args, kwargs, options):
    done = False
    with contextlib.ExitStack() as scopes:
        segment = None
        if _C.is_grad_enabled():
            segment = Segment(function, args, kwargs, options)
            scopes.enter_context(segment)
        with options.forward_context:
            result = function(*args, **kwargs)
            done = True
    if not done:
        raise RuntimeError(
            "eagre.utils.checkpoint: the forward context provided by context_fn suppressed an "
            "exception raised during the checkpointed forward. This is not supported because "
            "checkpoint cannot return a value for a failed forward."
        )
    if segment is not None:
        segment.complete()
    return result


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """In this scope, checkpoints leave their function early or not, whatever they were told."""
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled):
    """In this scope, checkpoints have debug=True, or False; None: as they were told."""
    global _debug
    before, _debug = _debug, enabled
    try:
        yield
    finally:
        _debug = before


# --- by a backward call in backward ---


class CheckpointFunction(Function):
    """The function runs without recording; backward runs it again, and backward of that."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.random = get_rng_state() if preserve_rng_state else None
        ctx.places = [i for i, value in enumerate(args) if isinstance(value, _C.Tensor)]
        ctx.others = [None if isinstance(value, _C.Tensor) else value for value in args]
        ctx.save_for_backward(*(args[i] for i in ctx.places))
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *gradients):
        if _C._current_graph_task_is_partial():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or "
                "passing an `inputs` parameter to .backward(). To resolve this error, you can "
                "either set use_reentrant=False, or call .backward() without passing the `inputs` "
                "argument."
            )
        inputs = list(ctx.others)
        for place, tensor in zip(ctx.places, ctx.saved_tensors, strict=True):
            inputs[place] = tensor
        inputs = detach_variable(tuple(inputs))
        with random_scope(ctx.random), enable_grad():
            outputs = ctx.run_function(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        used = [
            (output, gradient)
            for output, gradient in zip(outputs, gradients, strict=True)
            if isinstance(output, _C.Tensor) and output.requires_grad
        ]
        if not used:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward([output for output, _ in used], [gradient for _, gradient in used])
        found = (x.grad if isinstance(x, _C.Tensor) else None for x in inputs)
        return None, None, *found


def _reentrant(function, args, kwargs, preserve_rng_state, context_fn, debug):
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def detach_variable(inputs):
    """The tensors of a tuple as leaves of their own; what is no tensor stays."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            f"{type(inputs).__name__}"
        )
    return tuple(
        x.detach().requires_grad_(x.requires_grad) if isinstance(x, _C.Tensor) else x
        for x in inputs
    )


def check_backward_validity(inputs):
    """Warns if no tensor among them requires grad."""
    if not any(isinstance(x, _C.Tensor) and x.requires_grad for x in inputs):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        )


# --- several functions ---


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs) -> Any:
    """A chain of functions (a list, or an object with children()) in `segments` checkpoints.

    The last part is not checkpointed: backward would run it again at once.
    """
    if use_reentrant is None:
        _warn_about_default("checkpoint_sequential")
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    chain = list(functions.children() if hasattr(functions, "children") else functions)

    def part(first, last):
        def run(value):
            for function in chain[first:last]:
                value = function(value)
            return value

        return run

    size = len(chain) // segments
    last = 0
    for first in range(0, size * (segments - 1), size or 1):
        last = first + size
        input = checkpoint(
            part(first, last), input, use_reentrant=use_reentrant, preserve_rng_state=preserve
        )
    return part(last, len(chain))(input)


# --- devices other than the CPU, and policies per operator ---


class DefaultDeviceType:
    """Whose random numbers are kept when no argument says it; only the CPU's are, so far."""

    _device = "cuda"

    @staticmethod
    def set_device_type(device="cuda"):
        DefaultDeviceType._device = device

    @staticmethod
    def get_device_type():
        return DefaultDeviceType._device


def get_device_states(*args):
    """Devices of the arguments that have random numbers of their own, and their states: none."""
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """The opposite."""


class CheckpointPolicy:
    """Policies of selective checkpoints, which there are none of."""

    MUST_SAVE, PREFER_SAVE, MUST_RECOMPUTE, PREFER_RECOMPUTE, MUST_CPU_OFFLOAD = range(5)


class SelectiveCheckpointContext:
    """What a policy would be told."""

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute = is_recompute
        self.op_output = op_output


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """Not there: operators cannot be chosen one by one."""
    raise NotImplementedError(
        "create_selective_checkpoint_contexts(): a checkpoint computes all of its function again. "
        "Hint: leave out of the function what shall be kept"
    )


def __dir__():
    return __all__
