"""Process-wide settings; each can also be given as EAGRE_<NAME> in the environment at start."""

from __future__ import annotations

from eagre import _C

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_flags", "set_flags"]


def set_flags(flags) -> None:
    """Sets settings of the library: set_flags({"kernel_fallback": False}). All of them, or none."""
    _C._set_flags(flags)


def get_flags(flags=None) -> dict[str, Any]:
    """The values of settings, as a dict; `flags` is a name, a list of names, or None for all."""
    if flags is None:
        flags = _C._flag_docs()
    names = [flags] if isinstance(flags, str) else flags
    return {name: _C._get_flag(name) for name in names}


def __dir__():
    return __all__
