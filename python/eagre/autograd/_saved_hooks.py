"""Hooks on what operators save for backward."""

import contextlib
import threading

from eagre._C import (
    _has_saved_tensor_hooks,
    _pop_saved_tensor_hooks,
    _push_saved_tensor_hooks,
)

_modes = threading.local()


class saved_tensors_hooks:  # noqa: N801  PyTorch's name
    """In this scope, what operators save goes through `pack_hook`, and back through `unpack_hook`.

    What pack_hook(tensor) returns may be anything; unpack_hook gets it in backward and returns a
    tensor like the one that was saved.
    """

    def __init__(self, pack_hook, unpack_hook) -> None:
        self._hooks = pack_hook, unpack_hook

    def __enter__(self) -> None:
        message = getattr(_modes, "disabled", None)
        if message is not None:
            raise RuntimeError(message)
        self._push()

    def _push(self):
        _push_saved_tensor_hooks(*self._hooks)

    def __exit__(self, *exception) -> None:
        _pop_saved_tensor_hooks()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801
    """In this scope, what operators save is kept in host memory until backward needs it."""

    def __init__(self, pin_memory=False, device_type=None) -> None:
        super().__init__(
            lambda tensor: (tensor.device, tensor.to("cpu")),
            lambda packed: packed[1].to(packed[0]),
        )


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """In this scope, entering saved_tensors_hooks is an error with this message.

    So is entering this scope inside of theirs.
    """
    if _has_saved_tensor_hooks():
        raise RuntimeError(error_message)
    before = getattr(_modes, "disabled", None)
    _modes.disabled = error_message
    try:
        yield
    finally:
        _modes.disabled = before
