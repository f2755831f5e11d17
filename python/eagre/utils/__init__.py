"""Tools around tensors."""

import importlib as _importlib

_MODULES = frozenset({"_pytree", "checkpoint", "dlpack", "hooks", "weak"})


def __getattr__(name):
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_MODULES})
