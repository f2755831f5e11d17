"""Which way scaled_dot_product_attention() may take: hints, since there is one."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterable

from eagre import _unsupported

__all__ = ["SDPBackend", "WARN_FOR_UNFUSED_KERNELS", "sdpa_kernel"]

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.IntEnum):
    """The ways that PyTorch knows."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextlib.contextmanager
def sdpa_kernel(backends: list[SDPBackend] | SDPBackend, set_priority: bool = False):
    """A scope that wants one of these ways. All give the same results; here is one for all."""
    if isinstance(backends, SDPBackend):
        backends = [backends]
    if not isinstance(backends, Iterable) or not all(
        isinstance(one, SDPBackend) for one in backends
    ):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend")
    yield {}


globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers
