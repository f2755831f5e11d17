"""Eager tensors and automatic differentiation: `import eagre as torch`."""

import importlib as _importlib
import os as _os
import sys as _sys
from math import e, inf, nan, pi

from eagre import _C, _lazy_names, _operator_names, _unsupported
from eagre._C import *  # noqa: F403  the operators, as generated from the records
from eagre._C import (  # noqa: F401  names that tools should see, and private ones of PyTorch
    _pack_padded_sequence,
    _pad_packed_sequence,
    device,
    dtype,
    tensor,
)
from eagre._streams import stream
from eagre._torch_function import overridable as _overridable
from eagre._vmap import vmap
from eagre.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from eagre.flags import get_flags, set_flags
from eagre.ops import load_library
from eagre.random import get_rng_state, initial_seed, seed, set_rng_state

from eagre import autograd, cpu, func, nn, ops, overrides, random  # isort: skip  need names above

_FUNCTIONS = _lazy_names.FUNCTIONS | _operator_names.FUNCTIONS
_METHODS = _lazy_names.METHODS | _operator_names.METHODS
_MODULES = _lazy_names.MODULES
_OF_METHODS = _lazy_names.OF_METHODS
_C._add_lazy_methods(_METHODS)
# Those that are not there: asked for, they say why.
_C._add_lazy_methods(
    {
        name: ("eagre._unsupported", f"Tensor.{name}")
        for name in _unsupported.METHODS.difference(vars(_C.Tensor))
    }
)

newaxis = None  # as an index


TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre._lazy import *  # noqa: F403
else:

    def __getattr__(name):
        if name in _OF_METHODS:
            value = getattr(_C.Tensor, name)
        elif name in _MODULES:
            value = _importlib.import_module(f"eagre.{name}")
        elif name in _FUNCTIONS:
            module, attribute = _FUNCTIONS[name]
            value = getattr(_importlib.import_module(module), attribute)
            if type(value) is type(__getattr__) and not module.startswith("eagre._files"):
                value = _overridable(value)
        else:
            raise _unsupported.error(__name__, name)
        globals()[name] = value
        return value


def __dir__():
    return [*__all__, "__version__"]


_sys.meta_path.append(_unsupported.AbsentModules)

# Errors name the user's line, never one of these files.
_C._set_package_folder(_os.path.dirname(__file__))

__version__ = "0.1.0"
__all__ = [
    *(name for name in dir(_C) if not name.startswith("_")),
    *_FUNCTIONS,
    *_MODULES,
    *_OF_METHODS,
    "autograd",
    "cpu",
    "e",
    "enable_grad",
    "func",
    "get_flags",
    "get_rng_state",
    "inf",
    "initial_seed",
    "load_library",
    "nan",
    "newaxis",
    "nn",
    "inference_mode",
    "no_grad",
    "ops",
    "overrides",
    "pi",
    "random",
    "seed",
    "set_flags",
    "set_grad_enabled",
    "set_rng_state",
    "stream",
    "vmap",
]
