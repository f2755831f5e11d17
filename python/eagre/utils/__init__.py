"""Tools around tensors."""

import importlib as _importlib

from eagre import _unsupported

_MODULES = frozenset({"_pytree", "checkpoint", "data", "dlpack", "hooks", "weak"})


def __getattr__(name):
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise _unsupported.error(__name__, name)


def __dir__():
    return sorted({*globals(), *_MODULES})
