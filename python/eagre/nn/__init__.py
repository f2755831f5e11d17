"""Neural networks."""

from eagre import _unsupported
from eagre.nn import functional, grad, parameter, utils
from eagre.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "functional",
    "grad",
    "parameter",
    "utils",
]

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers


def __dir__():
    return __all__
