"""Neural networks: modules, layers, functions, initial values."""

import importlib as _importlib

from eagre import _unsupported
from eagre.nn import functional, parameter
from eagre.nn.modules._names import PLACES as _PLACES
from eagre.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

# Modules that are imported when asked for.
_MODULES = frozenset(
    ["_reduction", "attention", "common_types", "grad", "init", "modules", "parallel", "utils"]
)

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "functional",
    "parameter",
    *sorted(_MODULES - {"_reduction", "common_types"}),
    "DataParallel",
    "factory_kwargs",
    *_PLACES,
]


def _import(name):
    if name in _PLACES:
        value = getattr(_importlib.import_module(f"eagre.nn.modules.{_PLACES[name]}"), name)
    elif name == "DataParallel":
        value = _importlib.import_module("eagre.nn.parallel").DataParallel
    elif name in _MODULES:
        value = _importlib.import_module(f"eagre.nn.{name}")
    else:
        raise _unsupported.error(__name__, name)
    globals()[name] = value
    return value


globals()["__getattr__"] = _import  # unseen by type checkers

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.nn import attention, grad, init, modules, parallel, utils  # noqa: F401
    from eagre.nn.modules._all import *  # noqa: F403
    from eagre.nn.parallel import DataParallel


def factory_kwargs(kwargs):
    """Of the keywords of a layer those that say where tensors are made: device, dtype,
    memory_format, and what `factory_kwargs` among them says."""
    if kwargs is None:
        return {}
    simple = {"device", "dtype", "memory_format"}
    expected = simple | {"factory_kwargs"}
    if not kwargs.keys() <= expected:
        raise TypeError(f"unexpected kwargs {kwargs.keys() - expected}")
    made = dict(kwargs.get("factory_kwargs", {}))
    for name in simple & kwargs.keys():
        if name in made:
            raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
        made[name] = kwargs[name]
    return made


def __dir__():
    return __all__
