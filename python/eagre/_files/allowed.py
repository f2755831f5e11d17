"""What files may name when no code of theirs is to run, and what users add to that."""

from __future__ import annotations

import codecs
import contextvars
from collections import Counter

from eagre._files import rebuild

# None of these is believed, whoever says so.
_NEVER = frozenset({"sys", "os", "posix", "nt", "subprocess", "pty", "shutil", "importlib"})
_OLD_MODULES = {"__builtin__": "builtins", "copy_reg": "copyreg"}
# Functions that would make whatever size a file asks for: guarded_calls.py is what is called.
GUARDED = {
    ("builtins", "set"): set,
    ("builtins", "bytearray"): bytearray,
    ("builtins", "complex"): complex,
    ("_codecs", "encode"): codecs.encode,
    ("collections", "Counter"): Counter,
}
_BUILT_IN = {**rebuild.NAMED, **GUARDED}

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_added: list[Any] = []
_within: contextvars.ContextVar[tuple[Any, ...]] = contextvars.ContextVar(
    "eagre.safe_globals", default=()
)


def path_in(module, name):
    """The name as Python 3 and this library have it."""
    return _OLD_MODULES.get(module, module), name


def find(module, name):
    """What `module.name` of a file means; None where it is not allowed."""
    module, name = path_in(module, name)
    known = _BUILT_IN.get((module, name))
    if known is not None:
        return known
    if module.partition(".")[0] in _NEVER:
        return None
    return users().get(f"{module}.{name}")


def is_never_allowed(module):
    """Is it of a module that cannot be allowed?"""
    return path_in(module, "")[0].partition(".")[0] in _NEVER


def users():
    """What users allow, by full name."""
    found = {}
    for entry in (*_added, *_within.get()):
        if isinstance(entry, tuple):
            value, path = entry
            found[path] = value
            continue
        found[f"{entry.__module__}.{entry.__qualname__}"] = value = entry
        path = rebuild.path_of(value)
        if path is not None:
            found[".".join(path)] = value
    return found


def _checked(entries):
    entries = list(entries)
    for entry in entries:
        value = entry
        if isinstance(entry, tuple):
            if len(entry) != 2 or not isinstance(entry[1], str):
                raise TypeError(
                    f"safe globals are classes, functions, or pairs of one and its full name, but "
                    f"got {entry!r}"
                )
            value = entry[0]
        if not callable(value) or (value is entry and not hasattr(value, "__qualname__")):
            raise TypeError(f"safe globals are classes or functions, but got {value!r}")
    return entries


def add_safe_globals(safe_globals: Iterable[Any]) -> None:
    """Lets files that are loaded with `weights_only=True` name these classes and functions, whose
    code then runs. Entries are such, or pairs of one and the full name that files have for it."""
    _added.extend(entry for entry in _checked(safe_globals) if entry not in _added)


def get_safe_globals() -> list[Any]:
    """What add_safe_globals() and safe_globals() have added."""
    return [*_added, *_within.get()]


def clear_safe_globals() -> None:
    """Takes away what add_safe_globals() added."""
    _added.clear()


class safe_globals:  # noqa: N801  PyTorch's name
    """with safe_globals([Config]): files may name Config, as after add_safe_globals()."""

    def __init__(self, safe_globals: Iterable[Any]) -> None:
        self._entries = tuple(_checked(safe_globals))

    def __enter__(self) -> None:
        self._token = _within.set((*_within.get(), *self._entries))

    def __exit__(self, *_: object) -> None:
        _within.reset(self._token)
