"""Checkpoints without nested backward calls: hooks on what operators save.

In forward, a number is kept in place of every tensor that is saved. The first one that a backward
call needs runs the function again, with hooks that keep all tensors in the order in which they are
saved, and the numbers find their tensors there. Read Segment.unpack() first.
"""

import contextlib
import sys
import threading
import weakref

from eagre import _C
from eagre.autograd.function import Function
from eagre.autograd.saved_hooks import saved_tensors_hooks
from eagre.grad_mode import enable_grad
from eagre.random import get_rng_state, set_rng_state

_thread = threading.local()
_PACKAGE = __file__.rpartition("utils")[0]


class CheckpointError(RuntimeError):
    """The function did not do the same again, or is asked for too much."""


class GraphExecGroup:
    """In this scope, backward calls of disjoint parts of a graph share one run of a function."""

    def __enter__(self):
        if getattr(_thread, "group", None) is not None:
            raise RuntimeError("GraphExecGroup contexts cannot be nested.")
        _thread.group = self
        return self

    def __exit__(self, *exception):
        _thread.group = None


@contextlib.contextmanager
def random_scope(state):
    """The random numbers from `state` on; afterwards those of before. None changes nothing."""
    if state is None:
        yield
        return
    before = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(before)


class _Stop(BaseException):  # noqa: N818  no error; and no `except Exception` of the user's catches it
    """Everything that was saved is there."""


class _KeepInputs(Function):
    """Saves tensors as a node would, so that hooks around a checkpoint get them too."""

    @staticmethod
    def forward(ctx, anchor, *tensors):
        ctx.save_for_backward(*tensors)
        return anchor.clone()


class _Inputs:
    """The arguments of the function; tensors are held by a node."""

    def __init__(self, args, kwargs):
        self.args, self.kwargs = list(args), dict(kwargs)
        self.places = [(self.args, i) for i, value in enumerate(args) if _is_tensor(value)]
        self.places += [(self.kwargs, name) for name, value in kwargs.items() if _is_tensor(value)]
        tensors = [holder[place] for holder, place in self.places]
        for holder, place in self.places:
            holder[place] = None
        anchor = _C.empty(0, requires_grad=True)
        self.node = _KeepInputs.apply(anchor, *tensors).grad_fn

    def get(self):
        args, kwargs = list(self.args), dict(self.kwargs)
        for (holder, place), tensor in zip(self.places, self.node.saved_tensors, strict=True):
            (args if holder is self.args else kwargs)[place] = tensor
        return args, kwargs


def _is_tensor(value):
    return isinstance(value, _C.Tensor)


def _look(tensor):
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


def _user_line():
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return "?"
    code = frame.f_code
    return f"{code.co_filename}:{frame.f_lineno} in {code.co_name}"


class _Record:
    """What one run of the function saved, without the tensors."""

    def __init__(self, traces):
        self.looks = []
        self.lines = [] if traces else None

    def add(self, tensor):
        self.looks.append(_look(tensor))
        if self.lines is not None:
            self.lines.append(_user_line())

    def trace(self):
        rows = zip(self.looks, self.lines, strict=True)
        return "\n".join(
            f"  {i}: {look['dtype']} {list(look['shape'])} saved at {line}"
            for i, (look, line) in enumerate(rows)
        )


class Segment:
    """One call of a checkpointed function."""

    def __init__(self, function, inputs, options):
        self.function = function
        self.inputs = inputs
        self.options = options
        self.random = get_rng_state() if options.preserve_rng_state else None
        self.saved = _Record(options.debug)
        self.is_complete = False  # forward is over
        self.found = {}  # backward call -> index -> tensor
        self.found_by_group = weakref.WeakKeyDictionary()  # GraphExecGroup -> index -> tensor

    def hooks(self):
        return saved_tensors_hooks(self.pack, self.unpack)

    def pack(self, tensor):
        self.saved.add(tensor)
        return len(self.saved.looks) - 1

    def unpack(self, index):
        group, call = getattr(_thread, "group", None), _C._current_graph_task_id()
        if group is None and call == -1:  # somebody looks at the graph
            return self.run_again()[index]
        found = (self.found_by_group if group else self.found).get(group or call)
        if found is None:
            found = self.run_again()
            self.keep(group, call, found)
        tensor = found.pop(index, None)
        if tensor is None:
            extra = "with `GraphExecGroup`, backward calls must not overlap. " if group else ""
            raise CheckpointError(
                "eagre.utils.checkpoint: Unpack is being triggered for a tensor that was already "
                f"unpacked once. {extra}If you are calling ctx.saved_tensors in backward, make "
                "sure to do so only once."
            )
        return tensor

    def keep(self, group, call, found):
        if group is not None:
            self.found_by_group[group] = found
            return
        self.found[call] = found
        _C._queue_callback(lambda: self.found.pop(call, None))  # what nobody needed

    def run_again(self):
        """The tensors that forward saved so far, by index."""
        wanted = len(self.saved.looks)
        # In the midst of forward, the function itself calls backward: it must not get there again.
        stops = self.options.early_stop or not self.is_complete
        again = _Record(self.options.debug)
        found = {}

        def pack(tensor):
            if len(found) == wanted:
                raise self.error(
                    "trying to save more tensors during recomputation than during the original "
                    "forward pass",
                    again,
                )
            again.add(tensor)
            found[len(found)] = tensor
            if stops and len(found) == wanted:
                raise _Stop
            return tensor

        args, kwargs = self.inputs.get()
        with (
            contextlib.suppress(_Stop),
            random_scope(self.random),
            enable_grad(),
            saved_tensors_hooks(pack, lambda tensor: tensor),
            self.options.recompute_context(),
        ):
            self.function(*args, **kwargs)
        self.check(again)
        return found

    def check(self, again):
        first, second = self.saved.looks, again.looks
        if len(first) != len(second):
            raise self.error(
                "A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(first)}\n"
                f"Number of tensors saved during recomputation: {len(second)}",
                again,
            )
        if self.options.determinism_check == "none":
            return
        pairs = enumerate(zip(first, second, strict=True))
        different = [
            f"tensor at position {i}:\nsaved metadata: {a}\nrecomputed metadata: {b}"
            for i, (a, b) in pairs
            if a != b
        ]
        if different:
            text = "\n".join(different)
            raise self.error(
                "Recomputed values for the following tensors have different metadata than during "
                f"the forward pass.\n{text}",
                again,
            )

    def error(self, problem, again):
        if self.options.debug:
            tip = f"Saved in forward:\n{self.saved.trace()}\nand when run again:\n{again.trace()}"
        else:
            tip = (
                "Hint: the function must do the same each time it is called; "
                "checkpoint(..., debug=True) shows what it saves, and where"
            )
        return CheckpointError(f"eagre.utils.checkpoint: {problem}.\n{tip}")
