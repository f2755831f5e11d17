"""Neural networks: modules, layers, functions, initial values."""

from eagre._late_names import late as _late
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


_MODULE_OF = {name: f"modules.{module}" for name, module in _PLACES.items()}
_MODULE_OF["DataParallel"] = "parallel"
globals()["__getattr__"] = _late(globals(), _MODULE_OF, _MODULES)  # unseen by type checkers

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
