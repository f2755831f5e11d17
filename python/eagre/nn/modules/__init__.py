"""The classes of layers, by file; eagre.nn has them all."""

import importlib as _importlib

from eagre import _unsupported
from eagre.nn.modules._names import MODULES as _MODULES
from eagre.nn.modules._names import PLACES as _PLACES

__all__ = sorted(_PLACES)


def _import(name):
    if name in _PLACES:
        value = getattr(_importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
    elif name in _MODULES:
        value = _importlib.import_module(f"{__name__}.{name}")
    else:
        raise _unsupported.error(__name__, name)
    globals()[name] = value
    return value


globals()["__getattr__"] = _import  # unseen by type checkers

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.nn.modules._all import *  # noqa: F403


def __dir__():
    return [*__all__, *_MODULES]
