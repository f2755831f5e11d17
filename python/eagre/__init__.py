"""Eager tensors and automatic differentiation: `import eagre as torch`."""

import os as _os

from eagre import _C
from eagre._C import *  # noqa: F403  the operators, as generated from the records
from eagre._C import device, dtype, tensor  # noqa: F401  names that tools should see
from eagre.batching import vmap
from eagre.flags import get_flags, set_flags
from eagre.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from eagre.ops import load_library
from eagre.random import get_rng_state, initial_seed, seed, set_rng_state
from eagre.streams import stream

from eagre import autograd, cpu, func, linalg, nn, ops, overrides, special  # isort: skip  need names above

_C._add_lazy_methods(
    {"__deepcopy__": ("eagre.copying", "deep_copy"), "__reduce_ex__": ("eagre.copying", "reduced")}
)

# Errors name the user's line, never one of these files.
_C._set_package_folder(_os.path.dirname(__file__))

__version__ = "0.1.0"
__all__ = [
    *(name for name in dir(_C) if not name.startswith("_")),
    "autograd",
    "cpu",
    "enable_grad",
    "func",
    "get_flags",
    "get_rng_state",
    "initial_seed",
    "linalg",
    "load_library",
    "nn",
    "inference_mode",
    "no_grad",
    "ops",
    "overrides",
    "seed",
    "set_flags",
    "set_grad_enabled",
    "set_rng_state",
    "special",
    "stream",
    "vmap",
]
