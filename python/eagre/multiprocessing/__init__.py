"""Python's multiprocessing, in which tensors are sent as shared memory: the receiver looks at the
same numbers, and nothing is copied but the first time."""

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F403

from eagre.multiprocessing import reductions
from eagre.multiprocessing.spawn import (
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    spawn,
    start_processes,
)

__all__ = [
    *_multiprocessing.__all__,
    "ProcessContext",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "get_all_sharing_strategies",
    "get_sharing_strategy",
    "init_reductions",
    "set_sharing_strategy",
    "spawn",
    "start_processes",
]

_STRATEGIES = {"file_descriptor", "file_system"}
_strategy = "file_descriptor"


def get_all_sharing_strategies() -> set[str]:
    """The names that set_sharing_strategy() takes."""
    return set(_STRATEGIES)


def get_sharing_strategy() -> str:
    """The name that was set."""
    return _strategy


def set_sharing_strategy(new_strategy: str) -> None:
    """Accepted: there is one way to share memory, which needs neither names in the file system nor
    an open file for each tensor that a loader hands over."""
    global _strategy
    if new_strategy not in _STRATEGIES:
        raise ValueError(
            f"set_sharing_strategy(): expected one of {sorted(_STRATEGIES)}, but got "
            f"{new_strategy!r}"
        )
    _strategy = new_strategy


def init_reductions() -> None:
    """Lets multiprocessing send tensors as shared memory. Importing the module has done it."""
    reductions.init_reductions()


init_reductions()
