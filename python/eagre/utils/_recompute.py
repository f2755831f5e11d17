"""What a checkpoint without nested backward calls asks of its function.

C++ keeps numbers in place of saved tensors, and computes them again (eagre/api/checkpoint.h). The
arguments that are no tensors, contexts and the wording of errors are here.
"""

import contextlib
import sys

from eagre import _C
from eagre.autograd._saved_hooks import saved_tensors_hooks
from eagre.random import get_rng_state, set_rng_state

_PACKAGE = __file__.rpartition("utils")[0]


class CheckpointError(RuntimeError):
    """The function did not do the same again, or is asked for too much."""


class GraphExecGroup:
    """In this scope, backward calls of disjoint parts of a graph share one run of a function."""

    def __init__(self):
        self._group = _C._new_checkpoint_group()

    def __enter__(self):
        if not _C._set_checkpoint_group(self._group):
            raise RuntimeError("GraphExecGroup contexts cannot be nested.")
        return self

    def __exit__(self, *exception):
        _C._set_checkpoint_group(None)


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


class Segment(saved_tensors_hooks):
    """One call of a checkpointed function; its scope is that of the first run."""

    def __init__(self, function, args, kwargs, options):
        self._segment = _C._new_checkpoint_segment(
            _Again(function, args, kwargs, options),
            _Stop,
            [value for value in (*args, *kwargs.values()) if isinstance(value, _C.Tensor)],
            bool(options.preserve_rng_state),
            options.determinism_check != "none",
            bool(options.early_stop),
            bool(options.debug),
        )

    def _push(self):
        _C._push_checkpoint_segment(self._segment)

    def complete(self):
        _C._complete_checkpoint_segment(self._segment)


class _Again:
    """The function, and the arguments that are no tensors."""

    def __init__(self, function, args, kwargs, options):
        self.function = function
        self.args = [_without_tensor(value) for value in args]
        self.kwargs = {name: _without_tensor(value) for name, value in kwargs.items()}
        self.options = options
        self.lines, self.lines_again = [], []  # where tensors were saved, with debug=True

    def run(self, *tensors):
        rest = iter(tensors)
        args = [next(rest) if value is _TENSOR else value for value in self.args]
        kwargs = {n: next(rest) if value is _TENSOR else value for n, value in self.kwargs.items()}
        self.lines_again = []
        with contextlib.suppress(_Stop), self.options.recompute_context():
            self.function(*args, **kwargs)

    def note_saved(self, tensor, again):
        lines = self.lines_again if again else self.lines
        lines.append(f"{tensor.dtype} {list(tensor.shape)} saved at {_user_line()}")

    def refuse(self, kind, first, second, differences, is_shared):
        if kind == "used twice":
            extra = "with `GraphExecGroup`, backward calls must not overlap. " if is_shared else ""
            raise CheckpointError(
                "eagre.utils.checkpoint: Unpack is being triggered for a tensor that was already "
                f"unpacked once. {extra}If you are calling ctx.saved_tensors in backward, make "
                "sure to do so only once."
            )
        if kind == "more":
            problem = (
                "trying to save more tensors during recomputation than during the original "
                "forward pass"
            )
        elif kind == "number":
            problem = (
                "A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {first}\n"
                f"Number of tensors saved during recomputation: {second}"
            )
        else:
            text = "\n".join(
                f"tensor at position {i}:\nsaved metadata: {a}\nrecomputed metadata: {b}"
                for i, a, b in differences
            )
            problem = (
                "Recomputed values for the following tensors have different metadata than during "
                f"the forward pass.\n{text}"
            )
        raise CheckpointError(f"eagre.utils.checkpoint: {problem}.\n{self.tip()}")

    def tip(self):
        if not self.options.debug:
            return (
                "Hint: the function must do the same each time it is called; "
                "checkpoint(..., debug=True) shows what it saves, and where"
            )
        return f"Saved in forward:\n{_trace(self.lines)}\nand when run again:\n" + _trace(
            self.lines_again
        )


_TENSOR = object()  # in the place of one, which C++ keeps


def _without_tensor(value):
    return _TENSOR if isinstance(value, _C.Tensor) else value


def _trace(lines):
    return "\n".join(f"  {i}: {line}" for i, line in enumerate(lines))


def _user_line():
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return "?"
    code = frame.f_code
    return f"{code.co_filename}:{frame.f_lineno} in {code.co_name}"
